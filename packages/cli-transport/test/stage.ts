import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttemptHandle, AttemptReport, Transport, WorkOrder } from '@atelier/engine';
import { bubblewrap } from '@atelier/sandbox';
import {
  type CliTransportOptions,
  type Confinement,
  cliTransport,
  commandAgent,
  spoolOf,
  sweep,
} from '../src/index.ts';

const wrap = bubblewrap();
await wrap.selfTest();

export const SANDBOXED: Confinement = { kind: 'sandboxed', wrap };
export const ATTESTED: Confinement = { kind: 'attested-host', attestedBy: 'the tests' };

export const CONFINEMENTS: readonly (readonly [string, Confinement])[] = [
  ['behind bubblewrap', SANDBOXED],
  ['on an attested host', ATTESTED],
];

/** A folder with a worktree and a run's state, and programs that play agents in it. */
export interface Stage {
  readonly folder: string;
  readonly worktree: string;
  readonly runDir: string;
  /** Writes a shell script and gives its path; one with a name lies in the worktree. */
  script(body: string, name?: string): string;
  transport(program: string, options?: Partial<CliTransportOptions>): Transport;
  /** Starts an attempt of `T-1` and gives its handle. */
  start(transport: Transport, order?: Partial<WorkOrder>): Promise<AttemptHandle>;
  /** Runs a script to its end. */
  play(body: string, options?: PlayOptions): Promise<AttemptReport>;
  order(order?: Partial<WorkOrder>): WorkOrder;
  close(): Promise<void>;
}

interface PlayOptions extends Partial<CliTransportOptions> {
  readonly order?: Partial<WorkOrder>;
}

export function stage(confinement: Confinement): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'cli-transport-'));
  const worktree = join(folder, 'work tree');
  const runDir = join(folder, 'run');
  addWorktree(folder, worktree);
  let scripts = 0;
  const self: Stage = {
    folder,
    worktree,
    runDir,
    script(body, name) {
      scripts += 1;
      const path = join(name === undefined ? folder : worktree, name ?? `agent-${scripts}.sh`);
      writeFileSync(path, `#!/bin/sh\n${body}\n`);
      chmodSync(path, 0o755);
      return path;
    },
    transport: (program, options) =>
      cliTransport({
        agent: commandAgent({ program }),
        confinement,
        runDir,
        ...options,
        limits: { graceMs: 500, drainMs: 400, ...options?.limits },
      }),
    order: (order) => ({
      runId: 'run',
      task: { id: 'T-1', parallel_group: 1 },
      attempt: 1,
      nonce: nonceOf(folder, order?.attempt ?? 1),
      briefing: 'do it',
      wallClockMs: 60_000,
      workspace: worktree,
      ...order,
    }),
    start: (transport, order) => transport.start(self.order(order), new AbortController().signal),
    async play(body, { order, ...options } = {}) {
      const handle = await self.start(self.transport(self.script(body), options), order);
      return handle.report;
    },
    async close() {
      await sweep(runDir, { graceMs: 0 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return self;
}

function addWorktree(folder: string, worktree: string): void {
  const clone = join(folder, 'clone');
  // To start one program takes a process of a test longer than git needs for all three.
  const script = `git init -q "$1"; cd "$1"
    git -c user.name=Test -c user.email=test@example.com commit -q --allow-empty -m first
    git worktree add -q --detach "$2"`;
  execFileSync('sh', ['-ec', script, 'sh', clone, worktree], { cwd: folder });
}

/** No two stages share one, so that a test can never end another's processes. */
const nonceOf = (folder: string, attempt: number) => `${folder.slice(-6)}-${attempt}`;

export const envelope = (extra: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'task_result',
  task_id: 'T-1',
  attempt: 1,
  status: 'done',
  artifacts: ['a.ts'],
  notes_md: 'made a.ts',
  ...extra,
});

/** A shell line that prints the envelope. */
export const prints = (reply: Record<string, unknown> = envelope()): string =>
  `printf '%s\\n' '${JSON.stringify(reply)}'`;

/** Shell lines that leave the envelope where it belongs. */
export const leaves = (reply: Record<string, unknown> = envelope()): string =>
  `printf '%s\\n' '${JSON.stringify(reply)}' >"$ATELIER_REPLY_FILE.new"; mv "$ATELIER_REPLY_FILE.new" "$ATELIER_REPLY_FILE"`;

export const spool = ({ runDir }: Stage, attempt = 1) => spoolOf(runDir, 'T-1', attempt);
