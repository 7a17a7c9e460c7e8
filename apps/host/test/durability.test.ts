import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { killAll, scene as newScene, type Scene } from './host-process.ts';

// Each of them starts several hosts.
vi.setConfig({ testTimeout: 240_000 });

const scenes: Scene[] = [];

const scene = (): Scene => {
  const at = newScene();
  scenes.push(at);
  return at;
};

afterEach(() => {
  for (const at of scenes.splice(0)) killAll(at);
});

const DONE = 'done();';
const GIVES_UP = "reply({ status: 'abandoned', notes_md: 'ABANDON: scope:too big' });";

const run = (at: Scene, tasks: readonly object[], body: string, ...more: string[]) =>
  at.atelier([
    ...['run', at.plan(tasks), ...at.agent(body), '--run-mode', 'balanced'],
    ...['--wall-clock', '60s', '--max-attempts', '1', ...more],
  ]);

/** A program that notes what it is told, and fails as long as a file named `broken` is beside it. */
function notify(at: Scene): { readonly told: () => { key: string }[]; readonly broken: string } {
  const folder = join(at.folder, '.config/atelier');
  mkdirSync(folder, { recursive: true });
  const [script, log, broken] = ['notify.sh', 'told', 'broken'].map((name) => join(folder, name));
  writeFileSync(script ?? '', `#!/bin/sh\n[ -e ${broken} ] && exit 1\ncat >>${log}\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, 'config.yaml'), `escalations: { notify: [${script}] }\n`);
  const told = () =>
    existsSync(log ?? '')
      ? readFileSync(log ?? '', 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { told, broken: broken ?? '' };
}

describe('escalations', () => {
  it('O-49: what could not be told is told by the next start, once, under its key; ack gates nothing', async () => {
    const at = scene();
    const { told, broken } = notify(at);
    writeFileSync(broken, '');
    const tasks = [
      { id: 'big', parallel_group: 1 },
      { id: 'after', parallel_group: 2, depends_on: ['big'] },
    ];
    const first = await run(at, tasks, GIVES_UP);
    expect(first.code).toBe(3);
    expect(first.stdout).toContain('2 escalations were not delivered');
    expect(told()).toEqual([]);

    rmSync(broken);
    const second = await run(at, [{ id: 'fine', parallel_group: 1 }], DONE);
    expect(second.code).toBe(0);
    expect(second.stderr).toMatch(/WARNING escalation task=big .* category=scope/);
    expect(told().map(({ key }) => key.replace(/^run-[^/]*|^[^/]*/, 'RUN'))).toEqual([
      'RUN/big/1',
      'RUN/after/0',
    ]);
    expect(told()[0]).toMatchObject({ version: 1, kind: 'escalation', task_id: 'big' });

    const third = await run(at, [{ id: 'fine', parallel_group: 1 }], DONE, '--new');
    expect(third.stderr).not.toContain('WARNING');
    expect(told()).toHaveLength(2);

    const [old] = (await at.atelier(['status', '--all', '--json'])).stdout.trim().split('\n');
    const { runId } = JSON.parse(old ?? '');
    const ack = await at.atelier(['ack', 'big', '--run', runId]);
    expect([ack.code, ack.stdout]).toEqual([0, `Noted for task big of run ${runId}.\n`]);
    expect((await at.atelier(['ack', 'fine'])).stderr).toContain('nothing to acknowledge');
    expect((await at.atelier(['ack', 'nobody'])).code).toBe(2);
  });
});

describe('work that an earlier run has merged', () => {
  const TASKS = [
    { id: 'one', parallel_group: 1, reads: ['spec.md'], writes: ['one.txt'] },
    {
      ...{ id: 'two', parallel_group: 2, depends_on: ['one'], reads: ['one.txt'] },
      ...{ writes: ['two.txt'], assigned_persona: 'backend-engineer' },
    },
    { id: 'check', parallel_group: 2, reviews: 'two', assigned_persona: 'qa-engineer' },
  ];
  // Never the same twice, so that work that is done again is a change.
  const BODY = `
    if (task !== 'check') writeFileSync(task + '.txt', String(process.hrtime.bigint()));
    reply({ status: 'done', artifacts: ['two.txt'] });`;

  async function merged(): Promise<Scene> {
    const at = scene();
    writeFileSync(join(at.repo, 'spec.md'), 'as it was\n');
    at.git('add', '.');
    at.git('commit', '--quiet', '-m', 'spec');
    expect((await run(at, TASKS, BODY)).code).toBe(0);
    expect((await at.atelier(['merge'])).code).toBe(0);
    return at;
  }

  const change = (at: Scene, path: string, text: string) => {
    writeFileSync(join(at.repo, path), text);
    at.git('commit', '--quiet', '-a', '-m', `change ${path}`);
  };

  it('is not done again, and says so; with --no-replay it is', async () => {
    const at = await merged();
    const again = await run(at, TASKS, BODY);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('3 of 3 tasks done, 0 attempts charged');
    expect(again.stderr + again.stdout).toMatch(/one .*as attempt 1 of run .* left it/);
    const anew = await run(at, TASKS, BODY, '--no-replay');
    expect(anew.stdout).toContain('3 attempts charged');
  });

  it('is done again where what it read has changed, and so is what depends on that', async () => {
    const at = await merged();
    change(at, 'spec.md', 'as it is\n');
    const again = await run(at, TASKS, BODY);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('3 attempts charged')]);
  });

  it('is done again where it was taken back, but not what reads the same as before', async () => {
    const at = await merged();
    change(at, 'two.txt', 'somebody else’s\n');
    const again = await run(at, TASKS, BODY);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 attempts charged')]);
  });

  it('is done again where its task, its reviewer or its gate reads differently', async () => {
    const at = await merged();
    const [one, two, check] = TASKS;
    const other = await run(
      at,
      [one ?? {}, two ?? {}, { ...check, description: 'look twice' }],
      BODY,
    );
    expect(other.stdout).toContain('2 attempts charged');
    const gated = await at.atelier([
      ...['run', at.plan(TASKS, { gate: 'true' }), ...at.agent(BODY), '--run-mode', 'balanced'],
      ...['--max-attempts', '1', '--wall-clock', '60s'],
    ]);
    expect(gated.stdout).toContain('3 attempts charged');
  });

  it('never stands for anything once its record was tampered with', async () => {
    const at = await merged();
    const Database = createRequire(createRequire(import.meta.url).resolve('@atelier/store-sqlite'))(
      'better-sqlite3',
    );
    const database = new Database(join(at.repo, '.git/atelier/atelier.db'));
    database.exec('DROP TRIGGER events_are_never_changed');
    database.exec(
      "UPDATE events SET payload_json = replace(payload_json, 'one.txt', 'won.txt') WHERE type = 'attempt.accepted'",
    );
    database.close();
    const verify = await at.atelier(['verify']);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/^Bad: event \d+ of run /m);
    const again = await run(at, TASKS, BODY);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('3 attempts charged')]);
  });
});

describe('atelier verify', () => {
  it('a record as it was written is proved, and nothing is changed by looking', async () => {
    const at = scene();
    expect((await at.atelier(['verify'])).stderr).toContain('Run a plan first');
    await run(at, [{ id: 'fine', parallel_group: 1 }], DONE);
    const path = join(at.repo, '.git/atelier/atelier.db');
    const before = readFileSync(path);
    const verify = await at.atelier(['verify']);
    expect(verify.stdout).toMatch(/^\d+ events of 1 run are as they were written\.\n$/);
    expect(verify.code).toBe(0);
    expect(JSON.parse((await at.atelier(['verify', '--json'])).stdout)).toMatchObject({
      ...{ version: 1, runs: 1, badRows: [], changedRows: [], tip: 'holds', damage: [] },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
