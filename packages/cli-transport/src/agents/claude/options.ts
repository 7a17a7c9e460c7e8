import { isAbsolute } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';

/** How `claude` is called. */
export interface ClaudeOptions {
  /** Its name, looked up on the host's PATH, or its path. */
  readonly program: string;
  /**
   * The key as the program sees it. Absent: a token of each attempt, for which the API proxy behind `apiSocket` puts the
   * credential, so that no secret is inside the walls.
   */
  readonly apiKey?: string;
  /** A full model name: aliases move. Default `claude-sonnet-5-5`. The terms of an attempt go before it. */
  readonly model?: string;
  /**
   * The host's socket to the model API. Without it the program calls its default address. With tokens it lies in a folder
   * of its own, which is let in as a whole: a later host listens on another socket of the same name.
   */
  readonly apiSocket?: string;
  /** Where it appears to the program. Default below `/run`; without walls, the socket's own path. */
  readonly apiSocketInside?: string;
  /** Default 40. */
  readonly maxTurns?: number;
  /** In list prices, checked by the program after each response. Default 5. */
  readonly maxBudgetUsd?: number;
  /**
   * `bypassPermissions` (the default) asks nobody, and is refused without walls: behind them the kernel is the boundary.
   * With `acceptEdits` the program lets the model edit files in its folder, and run few commands.
   */
  readonly permissionMode?: PermissionMode;
  /** The built-in tools on offer. Default Bash, Read, Edit, Write, Glob, Grep. */
  readonly tools?: readonly string[];
}

export type PermissionMode = 'bypassPermissions' | 'acceptEdits';

/** Options with nothing left open. */
export type ClaudeSettings = Required<Omit<ClaudeOptions, 'apiKey' | 'apiSocket'>> & {
  readonly apiKey: string | undefined;
  readonly apiSocket: string | undefined;
};

const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Glob', 'Grep'];
const MODES: readonly unknown[] = ['bypassPermissions', 'acceptEdits'];

/** Fills in the defaults. Throws `CLAUDE_OPTION`, naming the first option that can not be meant. */
export function checkOptions({
  program,
  apiKey,
  apiSocket,
  apiSocketInside = apiKey === undefined ? '/run/atelier-api/api.sock' : '/run/api.sock',
  model = 'claude-sonnet-5-5',
  maxTurns = 40,
  maxBudgetUsd = 5,
  permissionMode = 'bypassPermissions',
  tools = TOOLS,
}: ClaudeOptions): ClaudeSettings {
  demand(program !== '', 'program', program, 'a name or a path');
  demand(
    apiKey === undefined ? apiSocket !== undefined : /^[\x21-\x7e]+$/.test(apiKey),
    'apiKey',
    apiKey === undefined ? 'absent, without a socket to a proxy' : '(not shown)',
    'a text without spaces',
  );
  checkModel(model);
  demand(
    apiSocket === undefined || isAbsolute(apiSocket),
    'apiSocket',
    apiSocket,
    'an absolute path',
  );
  demand(
    Number.isSafeInteger(maxTurns) && maxTurns > 0,
    'maxTurns',
    maxTurns,
    'an integer from 1 upward',
  );
  demand(
    Number.isFinite(maxBudgetUsd) && maxBudgetUsd > 0,
    'maxBudgetUsd',
    maxBudgetUsd,
    'an amount above 0',
  );
  demand(MODES.includes(permissionMode), 'permissionMode', permissionMode, MODES.join(' or '));
  demand(
    tools.length > 0 && tools.every((tool) => /^[A-Za-z]\w*$/.test(tool)),
    'tools',
    tools.join(),
    'a list of tool names',
  );
  const api = { apiKey, apiSocket, apiSocketInside };
  return { program, ...api, model, maxTurns, maxBudgetUsd, permissionMode, tools };
}

/** Throws `CLAUDE_OPTION` for what is no name and might be a flag. */
export function checkModel(model: string): string {
  demand(/^[A-Za-z][\w.:[\]-]*$/.test(model), 'model', model, 'a model name');
  return model;
}

function demand(holds: boolean, option: string, value: unknown, wanted: string): void {
  if (holds) return;
  throw new CliTransportError(
    'CLAUDE_OPTION',
    `claude: ${option} is ${printable(value, 60)}`,
    `Set ${option} to ${wanted}.`,
  );
}
