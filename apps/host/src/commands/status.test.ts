import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spoolOf } from '@atelier/cli-transport';
import { type RunEvent, run, scriptedTransport, type Task } from '@atelier/engine';
import { CORE_PERSONAS, rosterOf } from '@atelier/team-behaviors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { registerTeam } from '../team/register-team.ts';

const TASKS: readonly Task[] = ['api', 'db', 'page'].map((id) => ({
  ...{ id, parallel_group: 1, assigned_persona: 'backend-engineer' },
}));

const at = teamScene();
let child: ChildProcess;
let workers: string;

/** A run whose host is gone, one of whose workers lives. */
beforeAll(async () => {
  const events: RunEvent[] = [];
  const enough = new AbortController();
  await run(TASKS, {
    ...{ runId: 'r-1', signal: enough.signal, sink: () => undefined },
    transport: scriptedTransport(() => ({})),
    onEvent(event) {
      if (!enough.signal.aborted) events.push(event);
      if (events.filter(({ type }) => type === 'attempt.spawned').length === 3) enough.abort();
    },
  });
  await at.within(async (project) => {
    await project.store.journal.append(events);
    const roster = rosterOf(CORE_PERSONAS);
    registerTeam(project, { runId: 'r-1', tasks: TASKS, roster });
    project.store.team.wire.sendAll([
      {
        ...{ teamId: 'r-1', senderId: 'backend-engineer', recipient: 'team-lead' },
        ...{ kind: 'heartbeat', payload: '' },
      },
    ]);
    workers = join(at.stateHome, project.repository.id, 'r-1', 'workers');
  });
  child = spawn('sleep', ['1000'], { env: { PATH: at.env['PATH'], ATELIER_NONCE: 'status-1' } });
  await once(child, 'spawn');
  const meta = {
    ...{ taskId: 'api', attempt: 1, nonce: 'status-1', bootId: '', startedAt: '' },
    ...{ pidNamespace: readlinkSync('/proc/self/ns/pid'), deadlineMs: 0, backstopMs: 0 },
  };
  const api = folderOf('api');
  writeFileSync(api.meta, JSON.stringify(meta));
  writeFileSync(api.supervisor, readFileSync(`/proc/${child.pid}/stat`));
  writeFileSync(api.stdout, '');
  const db = folderOf('db');
  for (const path of [db.seen, db.stderr]) writeFileSync(path, 'x');
  const now = Date.now() / 1000;
  utimesSync(db.seen, now - 3 * 3600, now - 3 * 3600);
  utimesSync(db.stderr, now - 4 * 3600, now - 4 * 3600);
});
afterAll(async () => {
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
  at.remove();
});

function folderOf(task: string) {
  const folder = spoolOf(workers, task, 1);
  mkdirSync(folder.path, { recursive: true });
  return folder;
}

it('TB-22: each task of a role has its own life, also of a worker whose host is dead', async () => {
  const { stdout } = await at.atelier(['status']);
  const [api = '', db = '', page = ''] = stdout.split('\n').slice(-4);
  expect(api).toMatch(/api +running +1 +alive 0 s ago$/u);
  expect(db).toMatch(/db +running +1 +alive 3 h ago, wrote 4 h ago$/u);
  expect(page).toMatch(/page +running +1 *$/u);
});

it('TB-20: the roles of a team and when each was last seen, for who reads JSON', async () => {
  const { stdout } = await at.atelier(['status', '--json']);
  const { heartbeats, waves } = JSON.parse(stdout);
  expect(heartbeats).toEqual([['r-1', 'backend-engineer', expect.stringMatching(/Z$/u)]]);
  expect(
    waves[0].tasks.map(({ lastOutput }: { lastOutput?: string }) => typeof lastOutput),
  ).toEqual(['undefined', 'string', 'undefined']);
});

it('a stale heartbeat kills and charges nobody: who looks leaves the run as it was', async () => {
  const before = await at.within(({ store }) => store.journal.load('r-1'));
  await at.atelier(['status']);
  expect(await at.within(({ store }) => store.journal.load('r-1'))).toEqual(before);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});
