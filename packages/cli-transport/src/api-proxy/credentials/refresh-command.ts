import { spawn } from 'node:child_process';
import { findProgram } from '../../find-program.ts';

/** Set for a program, they would take the place of the login that it is to refresh. */
const OTHER_CREDENTIALS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
] as const;

interface RefreshCall {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** An empty folder of ours: a project's settings are none of its business. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** A descriptor that stays open as long as it runs, should this process be killed. */
  readonly held: number | undefined;
}

/**
 * Runs the program that refreshes a login, and waits for its end. What it prints is not kept: it may name the user. Its
 * exit status says little, so whoever asked looks at the file. Rejects with `PROGRAM_NOT_FOUND`.
 */
export async function runRefresh({
  command,
  env,
  cwd,
  timeoutMs,
  held,
}: RefreshCall): Promise<void> {
  const [program = '', ...args] = command;
  const file = findProgram(program);
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => !OTHER_CREDENTIALS.some((other) => other === name)),
  );
  const child = spawn(file, args, {
    ...{ cwd, timeout: timeoutMs, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'ignore', 'ignore', held ?? 'ignore'],
    env: { ...own, DISABLE_AUTOUPDATER: '1' },
  });
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
}
