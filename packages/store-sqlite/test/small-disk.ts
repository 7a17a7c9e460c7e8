import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface SmallDisk {
  readonly kilobytes: number;
  /** How much of it is taken by a file named `ballast`; all of it when absent. */
  readonly ballast?: number;
  /** Arguments of the fixture before the path of a file on the disk and that of the ballast. */
  readonly before?: readonly string[];
}

/** What a fixture prints that works on a disk of its own, which goes with the process. */
export function onSmallDisk(
  fixture: string,
  { kilobytes, ballast = kilobytes, before = [] }: SmallDisk,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = `disk=$1; shift
    mount -t tmpfs -o size=${kilobytes}k tmpfs "$disk" || exit 9
    dd if=/dev/zero of="$disk/ballast" bs=1k count=${ballast} 2>/dev/null
    exec "$@" "$disk/atelier.db" "$disk/ballast"`;
  const file = join(import.meta.dirname, 'fixtures', fixture);
  const rights = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const command = ['sh', '-c', script, 'sh', folder, process.execPath, file, ...before];
  const [program = '', ...args] = ['unshare', ...rights, ...command];
  return execFileSync(program, args, { encoding: 'utf8' });
}
