import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailCause } from '@atelier/engine';
import type { Route, Turn } from '@atelier/model-server';
import type { ClaudeOptions } from '../../src/agents/claude/options.ts';
import type { WithApiProxyOptions } from '../../src/api-proxy/with-api-proxy.ts';
import type { Limits } from '../../src/options.ts';
import { SEARCH } from './secret-search.ts';

/** What the model, the API or the repository does to a worker that has looked around, and what is to come of it. */
export interface Row {
  readonly name: string;
  readonly turns: readonly [Turn, ...Turn[]];
  /** Absent: the task is done. */
  readonly cause?: FailCause;
  /** Of how the failure is told. */
  readonly detail?: string;
  readonly agent?: Partial<ClaudeOptions>;
  readonly limits?: Partial<Limits>;
  /** Its time is up once this holds; else it ends by itself. */
  readonly timeUp?: (so: { readonly worktree: string; readonly requests: number }) => boolean;
  readonly furnish?: (worktree: string) => Promise<void>;
  readonly onUsage?: NonNullable<WithApiProxyOptions['onUsage']>;
}

/** A command that the model runs. */
export const bash = (command: string, more: Readonly<Record<string, unknown>> = {}): Turn => ({
  kind: 'use',
  tool: 'Bash',
  input: { command, description: 'Work', ...more },
});
const fail = (status: number, message: string, headers: Record<string, string> = {}): Turn => ({
  kind: 'fail',
  ...{ status, message, headers },
});
const say = (text: string): Turn => ({ kind: 'say', text });
const DONE: Turn = {
  kind: 'reply',
  envelope: {
    status: 'done',
    artifacts: [{ kind: 'file', path: 'search.txt' }],
    notes_md: 'Done.',
  },
};

/** A file that tells that something of the repository was started; no worker makes it. */
export const CANARY = 'ran';
export const MEMORY_FILE = 'a memory file says: remember me';

export const ROWS: readonly Row[] = [
  {
    name: 'decision 14: never calls the output tool',
    turns: [say('All done, nothing to add.')],
    cause: 'no-reply',
    detail: 'success without structured output',
  },
  {
    name: 'decision 14: output that is invalid for ever',
    turns: [{ kind: 'reply', envelope: { status: 'splendid', artifacts: [], notes_md: '' } }],
    cause: 'no-reply',
    detail: 'error_max_structured_output_retries',
  },
  {
    name: 'decision 15: a worker that quotes a limit message triggers nothing',
    turns: [say("You've hit your 5-hour limit · resets 9:31pm (UTC)")],
    cause: 'no-reply',
    detail: 'success without structured output',
  },
  {
    name: 'decision 15 (a): 429 whose retry-after passes the deadline',
    turns: [fail(429, 'come back tomorrow', { 'retry-after': '86400' })],
    cause: 'usage-limit',
  },
  { name: 'decision 15 (b): 401', turns: [fail(401, 'invalid x-api-key')], cause: 'account' },
  { name: 'decision 15 (b): 403', turns: [fail(403, 'not allowed')], cause: 'account' },
  {
    name: 'decision 15 (b): 404, a model that there is not',
    turns: [fail(404, 'model: claude-sonnet-5-5')],
    cause: 'account',
  },
  {
    name: 'decision 15 (b): no credit',
    turns: [fail(400, 'Your credit balance is too low to access the Anthropic API.')],
    cause: 'account',
  },
  {
    name: 'decision 15 (c): 429 with retry-after',
    turns: [fail(429, 'slow down', { 'retry-after': '1' })],
    cause: 'overloaded',
    detail: 'HTTP 429',
  },
  {
    name: 'decision 15 (c): 429 without retry-after',
    turns: [fail(429, 'slow down')],
    cause: 'overloaded',
    detail: 'HTTP 429',
  },
  { name: 'decision 15 (c): 500', turns: [fail(500, 'oops')], cause: 'overloaded' },
  { name: 'decision 15 (c): 529', turns: [fail(529, 'Overloaded')], cause: 'overloaded' },
  {
    name: 'decision 15 (c): the connection is reset in the middle of an answer',
    turns: [{ kind: 'drop', after: 'half' }],
    cause: 'overloaded',
    detail: 'connection_failed',
  },
  {
    name: 'decision 15 (d): the prompt is too long',
    turns: [fail(400, 'prompt is too long: 250000 tokens > 200000 maximum')],
    cause: 'request',
    detail: 'prompt_too_long',
  },
  {
    name: 'decision 15 (d): the model refuses',
    turns: [{ kind: 'say', text: 'No.', stop: 'refusal' }],
    cause: 'request',
  },
  {
    name: 'garbage in place of an answer',
    turns: [{ kind: 'garbage', body: '<html>It works!</html>' }],
    cause: 'overloaded',
    detail: 'Stream ended',
  },
  {
    name: 'an answer that never begins',
    turns: [{ kind: 'stall', after: 'nothing' }],
    timeUp: ({ requests }) => requests > 1,
    cause: 'timeout',
  },
  {
    name: 'an answer that stops in the middle',
    turns: [{ kind: 'stall', after: 'half' }],
    timeUp: ({ requests }) => requests > 1,
    cause: 'timeout',
  },
  {
    name: 'O-12: a command that ignores TERM',
    turns: [bash(`trap '' TERM; touch trapped; while :; do sleep 0.2; done`)],
    timeUp: ({ worktree }) => existsSync(join(worktree, 'trapped')),
    cause: 'timeout',
  },
  {
    name: 'its turns are used up',
    turns: [bash('echo again')],
    agent: { maxTurns: 2 },
    cause: 'exit',
    detail: 'error_max_turns',
  },
  {
    name: 'its budget is used up',
    turns: [{ kind: 'use', tool: 'Read', input: {}, usage: { output_tokens: 200_000 } }],
    agent: { maxBudgetUsd: 1 },
    cause: 'budget',
    detail: 'error_max_budget_usd',
  },
  {
    name: 'it runs past what the host lets it spend',
    turns: [{ kind: 'use', tool: 'Read', input: {}, usage: { output_tokens: 200_000 } }],
    onUsage: (_, { outputTokens = 0 }) => (outputTokens > 100_000 ? 'cut' : 'go'),
    cause: 'cut',
  },
  {
    name: 'processes are left behind, in the background and in sessions of their own',
    turns: [
      bash(`setsid sh -c 'while :; do sleep 0.5; done' </dev/null >/dev/null 2>&1 &`),
      bash(`(nohup env -i sh -c 'while :; do sleep 0.5; done' </dev/null >/dev/null 2>&1 &)`),
      bash('sleep 0.1', { run_in_background: true }),
      DONE,
    ],
  },
  { name: 'a command that prints 5 MB', turns: [bash('yes | head -c 5000000'), DONE] },
  {
    name: 'O-04: more output than there may be',
    turns: [say('word '.repeat(400_000))],
    limits: { stdoutBytes: 1024 * 1024 },
    cause: 'output-limit',
  },
  {
    name: 'decision 36: a repository that brings hooks, servers and memory files along',
    turns: [DONE],
    async furnish(worktree) {
      const mark = join(worktree, CANARY);
      const hook = { hooks: [{ type: 'command', command: `touch ${mark}` }] };
      await mkdir(join(worktree, '.claude'));
      await writeFile(
        join(worktree, '.claude/settings.json'),
        JSON.stringify({ hooks: { SessionStart: [hook], UserPromptSubmit: [hook], Stop: [hook] } }),
      );
      const evil = { command: 'touch', args: [mark] };
      await writeFile(join(worktree, '.mcp.json'), JSON.stringify({ mcpServers: { evil } }));
      for (const name of ['CLAUDE.md', 'AGENTS.md', '.claude/CLAUDE.md'])
        await writeFile(join(worktree, name), `${MEMORY_FILE}\n`);
    },
  },
];

/** A row by its place in the table, and its conversation. */
export const taskOf = (row: Row): string => `row-${ROWS.indexOf(row)}`;

export const ROW_ROUTES: readonly Route[] = ROWS.map((row) => ({
  marker: markerOf(row),
  turns: [SEARCH, ...row.turns],
}));

export function markerOf(row: Row): string {
  return `[[${taskOf(row)}]]`;
}
