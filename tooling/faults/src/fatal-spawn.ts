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
 * Replaces the spawn of this process by one that dies right before or right after it has started something. What is
 * neither git nor a command that was handed to `expect` is started as ever.
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
  const replacement = (...given: Parameters<typeof spawn>) => {
    const [file, args] = given;
    const of = kindOf(file, Array.isArray(args) ? args : []);
    if (of === undefined) return spawn(...given);
    counts[of] += 1;
    const here = point?.kind === 'spawn' && point.of === of && point.nth === counts[of];
    if (here && point.side === 'before') die();
    const child = spawn(...given);
    if (here) die();
    onSpawn(of);
    return child;
  };
  Object.defineProperty(childProcess, 'spawn', { value: replacement });
  syncBuiltinESMExports();
  return { expect: (of, command) => void expected.push({ of, end: textOf(command) }) };
}

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
