import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@atelier/engine';
import { RESPONSES_ROUTES } from '@atelier/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderOf } from '../claude/attempt.ts';
import { fourWide } from '../claude/four-wide.ts';
import { type Played, play } from '../claude/play.ts';
import { foundIn } from '../claude/secret-search.ts';
import { until } from '../living.ts';
import { FETCH_MS } from './codex-binary.ts';
import {
  bash,
  CANARY,
  MEMORY_TEXT,
  markerOf,
  ROW_ROUTES,
  ROWS,
  type Row,
  SEARCHES,
  taskOf,
} from './matrix-rows.ts';
import { type Rig, rig } from './rig.ts';

/** Whatever the machine is busy with. */
const PATIENCE_MS = 240_000;

const PARKED: readonly unknown[] = ['account', 'usage-limit', 'cut'];

/** Nobody inside has learnt the credential; that the other key was found says that it was looked for. */
function expectNoSecret(found: ReturnType<typeof foundIn>): void {
  const of = (name: string) =>
    ['environment', 'memory', 'files'].map((where) => found[`${name} ${where}`]);
  expect(of('real')).toEqual([0, 0, 0]);
  expect(found['shown environment']).toBeGreaterThan(0);
  expect(found['shown memory']).toBeGreaterThan(0);
  expect(found['processes']).toBeGreaterThan(1);
  expect(found['files']).toBeGreaterThan(0);
}

describe.concurrent('the real codex behind real walls, with a scripted model', () => {
  let codex: Rig;
  beforeAll(async () => {
    codex = await rig([...RESPONSES_ROUTES, ...ROW_ROUTES]);
    await codex.preflight();
  }, FETCH_MS);
  afterAll(() => codex?.close());

  const worktree = (id: string) => codex.worktreeOf({ task: { id }, attempt: 1 });
  const failsOf = ({ cause, rejected }: Row) => cause !== undefined || rejected !== undefined;

  /** A row whose worker fails has a task behind it, which must not be charged for that. */
  const played = (row: Row): Promise<Played> => {
    const id = taskOf(row);
    const task = { id, parallel_group: 1, description: markerOf(row) };
    const next = { id: 'next', parallel_group: 2, depends_on: [id], description: '[[reply]]' };
    return play(failsOf(row) ? [task, next] : [task], {
      transport: codex.transport(row),
      ...(row.timeUp ? { timeUp: until(() => isTimeUp(row)) } : {}),
    });
  };

  const requestsOf = (id: string) => codex.server.requests.filter(({ taskId }) => taskId === id);

  const isTimeUp = (row: Row): boolean => {
    const id = taskOf(row);
    const so = { worktree: worktree(id), requests: requestsOf(id).length };
    return row.timeUp?.(so) ?? false;
  };

  it.each(ROWS.map((row) => [row.name, row] as const))(
    '%s',
    (_, row) =>
      fourWide(async () => {
        const id = taskOf(row);
        const { report, charged, failure, usage, left } = await played(row);
        expect(failure?.cause).toBe(row.cause);
        if (row.detail !== undefined) expect(failure?.detail).toContain(row.detail);
        if (row.rejected !== undefined)
          expect(JSON.stringify(report.outcomes[0])).toContain(row.rejected);
        expect(charged).toEqual(failsOf(row) ? { [id]: 1, next: 0 } : { [id]: 1 });
        const ended = failsOf(row) ? 'abandoned' : 'complete';
        expect(report.verdict).toBe(PARKED.includes(row.cause) ? 'parked' : ended);
        expect(left).toEqual([]);
        expectNoSecret(foundIn(worktree(id)));
        expect(usage?.inputTokens).toBeGreaterThanOrEqual(1000);
        for (const name of [CANARY, 'failed'])
          expect(existsSync(join(worktree(id), name))).toBe(false);
        const asked = requestsOf(id);
        const keys = new Set(asked.map(({ authorization }) => authorization));
        expect(keys).toEqual(new Set([`Bearer ${codex.realKey}`]));
        for (const { prompt, instructions } of asked)
          expect(`${prompt}${instructions}`).not.toContain(MEMORY_TEXT);
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
          transport: codex.transport(),
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
          ...{ inputTokens: 3000, outputTokens: 150 },
          ...{ cacheReadTokens: 0, cacheWriteTokens: 0 },
        });
        expect(left).toEqual([]);
        for (const { id } of plan)
          expect(await readFile(join(worktree(String(id)), `${id}.txt`), 'utf8')).toBe(
            `made by ${id}\n`,
          );
        const asked = codex.server.requests.filter(({ route }) => route === '[[write]]');
        expect(asked.map(({ taskId }) => taskId)).toEqual(plan.flatMap(({ id }) => [id, id, id]));
        expect(asked[0]).toMatchObject({
          ...{ method: 'POST', path: '/v1/responses', schema: 'codex_output_schema' },
          cwd: worktree('first'),
        });
        expect(asked[0]?.prompt).toContain(long);
        expect(asked[2]?.output).toContain('made by first');
      }),
    PATIENCE_MS,
  );

  it(
    'decision 12: a worker that waits for its model can be stopped, and is of the model of its terms',
    () =>
      fourWide(async () => {
        const briefing = '[[stall]]\ntask_id: stopped\nattempt: 1\n';
        const terms = { model: 'gpt-5.1-codex' };
        const one = orderOf('', { task: { id: 'stopped' }, nonce: 'of-stopped', briefing, terms });
        const handle = await codex.transport().start(one, new AbortController().signal);
        await until(() => requestsOf('stopped').length > 0);
        expect(await handle.peek()).toBeUndefined();
        await handle.stop('enough');
        expect(await handle.report).toMatchObject({ kind: 'failed', cause: 'interrupted' });
        expect(requestsOf('stopped')[0]).toMatchObject({ model: 'gpt-5.1-codex' });
      }),
    PATIENCE_MS,
  );

  it(
    'decision 15 (c): connections to the API are refused',
    () =>
      fourWide(async () => {
        const waits = 'touch waiting; while [ ! -e go-on ]; do sleep 0.1; done';
        const alone = await rig([
          { marker: '[[gone]]', turns: [SEARCHES, bash(waits), bash('true')] },
        ]);
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
