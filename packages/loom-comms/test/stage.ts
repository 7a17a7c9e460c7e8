import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FakeLoom, type FakeLoomOptions, startFakeLoom } from '@atelier/fake-loom';
import { detect } from '../src/detect.ts';
import type { LoomStatus } from '../src/loom-status.ts';
import { type OpenRunOptions, openRun } from '../src/open-run.ts';

const endings: (() => unknown)[] = [];

/** Ends what a test has begun. Each file says so for itself: in a process that runs several, this one is loaded once. */
export const endAll = async (): Promise<void> => {
  for (const end of endings.splice(0).reverse()) await end();
};

export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'loom-comms-'));
  endings.push(() => rmSync(path, { recursive: true }));
  return path;
};

export const chatServer = async (options?: FakeLoomOptions): Promise<FakeLoom> => {
  const loom = await startFakeLoom(options);
  endings.push(() => loom.close());
  return loom;
};

export const MEMBERS = ['be-1', 'fe-1', 'qa-1'];

/** So that nothing here depends on how quick the machine is. */
const ROOMY = { callMs: 60_000, phaseMs: 120_000, drainMs: 60_000 };

export const find = (root: string, env: Record<string, string> = {}): Promise<LoomStatus> =>
  detect({ env, root, limitMs: ROOMY.callMs });

/** The chat of a run on a server, over real HTTP; what detecting it has asked is forgotten. */
export const chatOf = async (loom: FakeLoom, options: Partial<OpenRunOptions> = {}) => {
  const root = options.root ?? folder();
  const status = await find(root, { LOOM_MCP_URL: loom.url });
  const run = openRun(status, {
    runId: 'r1',
    channel: 'cycle-r1',
    lead: 'team-lead',
    members: MEMBERS,
    ...options,
    limits: { ...ROOMY, ...options.limits },
    root,
  });
  endings.push(() => run.teardown());
  return run;
};

export const goals = {
  teamGoal: 'Ship wave 1.',
  individualGoals: { 'be-1': 'The API.', 'fe-1': 'The page.', 'qa-1': 'The proof.' },
};

/** What was called, tools by their name. */
export const toolsOf = ({ calls }: FakeLoom): string[] =>
  calls.map(({ method, tool }) => tool ?? method);

/** A clock whose idle times pass when the test says so, and whose waits pass at once. */
export const testClock = () => {
  const slept: number[] = [];
  let idling: (() => void) | undefined;
  let now = 0;
  return {
    slept,
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
      slept.push(ms);
    },
    idle: (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        idling = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
    /** Ends the idle time, once it has begun. */
    async wake() {
      await until(() => idling !== undefined);
      idling?.();
      idling = undefined;
    },
  };
};

/** Looks again and again; the end of its patience is that of the test. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await setTimeout(2);
};
