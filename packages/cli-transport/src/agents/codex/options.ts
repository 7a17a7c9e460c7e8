import { isAbsolute } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';

/** How `codex` is called. */
export interface CodexOptions {
  /** Its name, looked up on the host's PATH, or its path. */
  readonly program: string;
  /**
   * The host's socket to the model API. There is no way without one: the program would need the credential itself. With
   * tokens it lies in a folder of its own, which is let in as a whole.
   */
  readonly apiSocket: string;
  /** Where it appears to the program. Default below `/run`; without walls, the socket's own path. */
  readonly apiSocketInside?: string;
  /**
   * The key as the program sees it. Absent: a token of each attempt, for which the API proxy behind `apiSocket` puts the
   * credential, so that no secret is inside the walls.
   */
  readonly apiKey?: string;
  /** Absent: the program's own default. The terms of an attempt go before it. */
  readonly model?: string;
  /**
   * `danger-full-access` (the default) asks nobody, and is refused without walls: behind them the kernel is the boundary.
   * With `workspace-write` the program confines each command by itself.
   */
  readonly sandboxMode?: SandboxMode;
}

export type SandboxMode = 'danger-full-access' | 'workspace-write';

/** Options with nothing left open. */
export interface CodexSettings {
  readonly program: string;
  readonly apiSocket: string;
  readonly apiSocketInside: string;
  readonly apiKey: string | undefined;
  readonly model: string | undefined;
  readonly sandboxMode: SandboxMode;
}

const MODES: readonly unknown[] = ['danger-full-access', 'workspace-write'];

/** Fills in the defaults. Throws `CODEX_OPTION`, naming the first option that can not be meant. */
export function checkOptions({
  program,
  apiSocket,
  apiKey,
  apiSocketInside = apiKey === undefined ? '/run/atelier-api/api.sock' : '/run/api.sock',
  model,
  sandboxMode = 'danger-full-access',
}: CodexOptions): CodexSettings {
  demand(program !== '', 'program', program, 'a name or a path');
  const key = apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey);
  demand(key, 'apiKey', '(not shown)', 'a text without spaces');
  for (const [name, path] of Object.entries({ apiSocket, apiSocketInside }))
    demand(typeof path === 'string' && isAbsolute(path), name, path, 'an absolute path');
  if (model !== undefined) checkModel(model);
  demand(MODES.includes(sandboxMode), 'sandboxMode', sandboxMode, MODES.join(' or '));
  return { program, apiSocket, apiSocketInside, apiKey, model, sandboxMode };
}

/** The same text. Throws `CODEX_OPTION` for what could be read as another argument. */
export function checkModel(model: string): string {
  demand(/^[A-Za-z][\w.:/-]*$/.test(model), 'model', model, 'a model name');
  return model;
}

function demand(holds: boolean, option: string, value: unknown, wanted: string): void {
  if (holds) return;
  throw new CliTransportError(
    'CODEX_OPTION',
    `codex: ${option} is ${printable(value, 60)}`,
    `Set ${option} to ${wanted}.`,
  );
}
