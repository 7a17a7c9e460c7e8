import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { CommandWrap } from '@atelier/cli-transport';
import type { KillPoint, Spawned } from './kill-point.ts';

interface FatalSpawnOptions {
  readonly point: KillPoint | undefined;
  /** Ends this process; never returns. */
  readonly die: () => never;
  readonly onSpawn: (of: Spawned) => void;
}

/**
 * Replaces the spawn of this process by one that dies right before or right after it has started something, or has told a
 * shell that starts gits to start one. What is neither git nor a command that was handed to `expect` is started as ever.
 */
export function fatalSpawn({ point, die, onSpawn }: FatalSpawnOptions): {
  expect(of: Spawned, command: readonly string[]): void;
} {
  const { spawn } = childProcess;
  const expected: { readonly of: Spawned; readonly end: string }[] = [];
  const counts: Record<Spawned, number> = { worker: 0, command: 0, git: 0 };
  const kindOf = (file: string, args: readonly string[]): Spawned | undefined => {
    if (file === 'git') return 'git';
    const whole = textOf([file, ...args]);
    return expected.find(({ end }) => whole.endsWith(end))?.of;
  };
  const atPoint = <T>(of: Spawned, start: () => T): T => {
    counts[of] += 1;
    const here = point?.kind === 'spawn' && point.of === of && point.nth === counts[of];
    if (here && point.side === 'before') die();
    const started = start();
    if (here) die();
    onSpawn(of);
    return started;
  };
  const replacement = (...given: Parameters<typeof spawn>) => {
    const [file, options] = given;
    const args = Array.isArray(options) ? options : [];
    const of = kindOf(file, args);
    if (of !== undefined) return atPoint(of, () => spawn(...given));
    const child = spawn(...given);
    if (startsGits(args)) {
      const { stdin } = child;
      if (stdin) {
        const write = stdin.write.bind(stdin);
        Object.assign(stdin, { write: (text: string) => atPoint('git', () => write(text)) });
      }
    }
    return child;
  };
  Object.defineProperty(childProcess, 'spawn', { value: replacement });
  syncBuiltinESMExports();
  return { expect: (of, command) => void expected.push({ of, end: textOf(command) }) };
}

/** By the name that the shell goes by which starts the gits of a run: some at each question. */
const startsGits = (args: readonly string[]): boolean => args[2] === 'atelier-gits';

const textOf = (command: readonly string[]): string => `\0${command.join('\0')}`;

/** Walls with an opening for the workers' own record; tells what is about to be started behind them. */
export const tellingWrap = (
  inner: CommandWrap,
  { told, expect }: { told: string; expect: (of: Spawned, command: readonly string[]) => void },
): CommandWrap => ({
  kind: inner.kind,
  attestation: () => inner.attestation(),
  wrap(command, access) {
    const of = 'ATELIER_TASK_ID' in command.env ? 'worker' : 'command';
    const write = of === 'worker' ? [...access.write, told] : access.write;
    const wrapped = inner.wrap(command, { ...access, write });
    expect(of, [wrapped.file, ...wrapped.args]);
    return wrapped;
  },
});
