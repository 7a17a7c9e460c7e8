import { readdirSync, readFileSync } from 'node:fs';

/** A process that still belongs to a scene. */
export interface Remaining {
  readonly pid: number;
  readonly command: string;
}

/** Every living process that was started with one of the marks in its environment, or has one on its command line. */
export function processesWith(marks: readonly string[]): Remaining[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = textOf(`/proc/${name}/cmdline`);
      const told = `${command}\0${textOf(`/proc/${name}/environ`)}`;
      if (!marks.some((mark) => told.includes(mark))) return [];
      return [{ pid: Number(name), command: command.replaceAll('\0', ' ').slice(0, 200) }];
    });
}

/** The same, once what is on its way out is gone. */
export async function processesLeft(marks: readonly string[]): Promise<Remaining[]> {
  for (let look = 0; ; look += 1) {
    const left = processesWith(marks);
    if (left.length === 0 || look === 20) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended while we looked.
    return '';
  }
}
