import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@atelier/engine';
import { ROUTES } from '@atelier/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionId } from '../../src/agents/claude/session-id.ts';
import { until } from '../living.ts';
import { orderOf } from './attempt.ts';
import { FETCH_MS } from './claude-binary.ts';
import { fourWide } from './four-wide.ts';
import {
  bash,
  CANARY,
  MEMORY_FILE,
  markerOf,
  ROW_ROUTES,
  ROWS,
  type Row,
  taskOf,
} from './matrix-rows.ts';
import { type Played, play } from './play.ts';
import { type Rig, rig } from './rig.ts';
import { foundIn, SEARCH } from './secret-search.ts';

/** Whatever the machine is busy with. */
const PATIENCE_MS = 240_000;

const PARKED: readonly unknown[] = ['account', 'usage-limit', 'cut'];

/** Nobody inside has learnt the credential; that the other key was found says that it was looked for. */
function expectNoSecret(found: ReturnType<typeof foundIn>): void {
  const of = (name: string) =>
    ['environment', 'memory', 'files'].map((where) => found[`${name} ${where}`]);
  expect(of('real')).toEqual([0, 0, 0]);
  expect(of('shown')).toEqual([expect.anything(), expect.anything(), expect.anything()]);
  expect(found['shown environment']).toBeGreaterThan(0);
  expect(found['shown memory']).toBeGreaterThan(0);
  expect(found['processes']).toBeGreaterThan(1);
  expect(found['files']).toBeGreaterThan(0);
}

describe.concurrent('the real claude behind real walls, with a scripted model', () => {
  let claude: Rig;
  beforeAll(async () => {
    claude = await rig({ routes: [...ROUTES, ...ROW_ROUTES] });
    await claude.preflight();
  }, FETCH_MS);
  afterAll(() => claude?.close());

  const worktree = (id: string) => claude.worktreeOf({ task: { id }, attempt: 1 });

  /** A row whose worker fails has a task behind it, which must not be charged for that. */
  const played = (row: Row): Promise<Played> => {
    const id = taskOf(row);
    const task = { id, parallel_group: 1, description: markerOf(row) };
    const next = { id: 'next', parallel_group: 2, depends_on: [id], description: '[[reply]]' };
    return play(row.cause ? [task, next] : [task], {
      transport: claude.transport(row),
      ...(row.timeUp ? { timeUp: until(() => isTimeUp(row)) } : {}),
    });
  };

  const requestsOf = (id: string) => claude.server.requests.filter(({ taskId }) => taskId === id);

  const isTimeUp = (row: Row): boolean => {
    const id = taskOf(row);
    const so = { worktree: worktree(id), requests: requestsOf(id).length };
    return row.timeUp?.(so) ?? false;
  };

  it.each(ROWS)(
    '$name',
    (row) =>
      fourWide(async () => {
        const id = taskOf(row);
        const { report, charged, failure, usage, left } = await played(row);
        expect(failure?.cause).toBe(row.cause);
        if (row.detail !== undefined) expect(failure?.detail).toContain(row.detail);
        expect(charged).toEqual(row.cause ? { [id]: 1, next: 0 } : { [id]: 1 });
        const ended = row.cause ? 'abandoned' : 'complete';
        expect(report.verdict).toBe(PARKED.includes(row.cause) ? 'parked' : ended);
        expect(left).toEqual([]);
        expectNoSecret(foundIn(worktree(id)));
        expect(usage?.inputTokens).toBeGreaterThanOrEqual(1000);
        expect(existsSync(join(worktree(id), CANARY))).toBe(false);
        const asked = requestsOf(id);
        expect(new Set(asked.map(({ apiKey }) => apiKey))).toEqual(new Set([claude.realKey]));
        expect(asked.map(({ prompt }) => prompt).join()).not.toContain(MEMORY_FILE);
      }),
    PATIENCE_MS,
  );

  it(
    'success in two waves, and with a briefing of 140,000 bytes (O-14)',
    () =>
      fourWide(async () => {
        const long = 'x'.repeat(140_000);
        const plan: readonly Task[] = [
          { id: 'first', parallel_group: 1, description: `${long} [[write]]` },
          { id: 'second', parallel_group: 2, depends_on: ['first'], description: '[[write]]' },
        ];
        const { report, charged, usage, left } = await play(plan, {
          transport: claude.transport(),
        });
        expect(report).toMatchObject({
          verdict: 'complete',
          outcomes: plan.map(({ id }) => ({
            kind: 'done',
            taskId: id,
            reply: {
              artifacts: [{ kind: 'file', path: `${id}.txt` }],
              notes_md: 'Wrote the file.',
            },
          })),
        });
        expect(charged).toEqual({ first: 1, second: 1 });
        expect(usage).toEqual({
          inputTokens: 3000,
          outputTokens: 150,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          costUsd: expect.any(Number),
        });
        expect(left).toEqual([]);
        for (const { id } of plan)
          expect(await readFile(join(worktree(String(id)), `${id}.txt`), 'utf8')).toBe(
            `made by ${id}\n`,
          );
        const asked = claude.server.requests.filter(({ route }) => route === '[[write]]');
        expect(asked.map(({ taskId }) => taskId)).toEqual(plan.flatMap(({ id }) => [id, id, id]));
        expect(asked[0]).toMatchObject({ model: 'claude-sonnet-5-5', cwd: worktree('first') });
        expect(asked[0]?.tools).toContain('StructuredOutput');
        expect(asked[0]?.prompt).toContain(long);
      }),
    PATIENCE_MS,
  );

  it(
    'decision 12: a worker that waits for its model can be stopped, and is of the model of its terms',
    () =>
      fourWide(async () => {
        const briefing = '[[stall]]\ntask_id: stopped\nattempt: 1\n';
        const terms = { model: 'claude-haiku-5-5' };
        const one = orderOf('', { task: { id: 'stopped' }, nonce: 'of-stopped', briefing, terms });
        const requests = () =>
          claude.server.requests.filter(({ session }) => session === sessionId(one));
        const handle = await claude.transport().start(one, new AbortController().signal);
        await until(() => requests().length > 0);
        expect(requests()).toHaveLength(1);
        expect(await handle.peek()).toBeUndefined();
        await handle.stop('enough');
        expect(await handle.report).toMatchObject({ kind: 'failed', cause: 'interrupted' });
        expect(requests()[0]).toMatchObject({ model: 'claude-haiku-5-5' });
      }),
    PATIENCE_MS,
  );

  it(
    'decision 15 (c): connections to the API are refused',
    () =>
      fourWide(async () => {
        const waits = 'touch waiting; while [ ! -e go-on ]; do sleep 0.1; done';
        const alone = await rig({
          routes: [{ marker: '[[gone]]', turns: [SEARCH, bash(waits), bash('true')] }],
        });
        try {
          const task = { id: 'gone', parallel_group: 1, description: '[[gone]]' };
          const place = alone.worktreeOf({ task, attempt: 1 });
          const playing = play([task], { transport: alone.transport() });
          await until(() => existsSync(join(place, 'waiting')));
          await alone.server.close();
          await writeFile(join(place, 'go-on'), '');
          const { charged, failure, left } = await playing;
          expect(failure?.cause).toBe('overloaded');
          expect(charged).toEqual({ gone: 1 });
          expect(left).toEqual([]);
          expectNoSecret(foundIn(place));
        } finally {
          await alone.close();
        }
      }),
    PATIENCE_MS,
  );
});
