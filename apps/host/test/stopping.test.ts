import { describe, expect, it, vi } from 'vitest';
import { processesOf, type Scene, scene, workerOf } from './host-process.ts';

// Whole hosts, or plans of 100,000 tasks, on machines that may be slow.
vi.setConfig({ testTimeout: 240_000 });

const TASKS = [
  { id: 'slow', parallel_group: 1 },
  { id: 'other', parallel_group: 1 },
  { id: 'after', parallel_group: 2, depends_on: ['slow'] },
];

/** The first attempt of `slow` never ends; everything else is done at once. */
const BODY = `
  if (task === 'slow' && attempt === '1') { writeFileSync('half.txt', 'kept'); console.log('working'); await sleep(600000); }
  done();`;

const start = (at: Scene, ...more: string[]) =>
  at.start(['run', at.plan(TASKS), ...at.agent(BODY), '--run-mode', 'balanced', ...more]);

const savedWork = (at: Scene) => {
  const ref = at
    .git('for-each-ref', '--format=%(refname)', 'refs/atelier')
    .split('\n')
    .find((name) => /\/slow[^/]*\/1$/.test(name));
  return at.git('show', `${ref}:half.txt`);
};

async function resumed(at: Scene) {
  const ended = await at.atelier(['resume']);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain('3 of 3 tasks done');
  return ended;
}

describe('a run that is stopped', () => {
  it('Ctrl-C ends the workers, saves what they did, exits 5, and resume finishes it', async () => {
    const at = scene();
    const host = start(at);
    await host.saying('other');
    await host.saying('accepted');
    host.child.kill('SIGINT');
    const ended = await host.ended;
    expect(ended.code).toBe(5);
    expect(ended.stdout).toContain('atelier resume');
    expect(processesOf(at)).toEqual([]);
    expect(savedWork(at)).toBe('kept');
    const second = await at.atelier(['run', at.plan(TASKS), ...at.agent(BODY)]);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/RUN_UNFINISHED.*atelier resume.*atelier run --new/s);
    await resumed(at);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    '%s with nobody there to read what it says ends the workers all the same',
    async (signal) => {
      const at = scene();
      const host = start(at);
      await host.saying('accepted');
      host.child.stdout?.destroy();
      host.child.stderr?.destroy();
      host.child.kill(signal);
      expect((await host.ended).code).toBe(5);
      expect(processesOf(at)).toEqual([]);
      expect(savedWork(at)).toBe('kept');
    },
  );

  it('a second Ctrl-C does not wait: the workers are killed, exit 5, and the run can be resumed', async () => {
    const at = scene();
    const body =
      "process.on('SIGTERM', () => undefined); if (task === 'slow' && attempt === '1') await sleep(600000); done();";
    const host = at.start(['run', at.plan(TASKS), ...at.agent(body), '--run-mode', 'balanced']);
    await workerOf(at);
    host.child.kill('SIGINT');
    host.child.kill('SIGINT');
    await host.saying('stopping');
    host.child.kill('SIGINT');
    const ended = await host.ended;
    expect(ended.code).toBe(5);
    // What only reads for the host ends with its input.
    await expect.poll(() => processesOf(at), { timeout: 10_000 }).toEqual([]);
    await resumed(at);
  });

  it('a plan that has changed meanwhile is shown and needs --take-plan', async () => {
    const at = scene();
    const host = start(at);
    await host.saying('accepted');
    host.child.kill('SIGINT');
    await host.ended;
    at.plan([...TASKS.slice(0, 2), { id: 'new', parallel_group: 2, depends_on: ['other'] }]);
    const refused = await at.atelier(['resume']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/PLAN_CHANGED.*\+ new; - after.*--take-plan/s);
    const ended = await at.atelier(['resume', '--take-plan']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/new +done/);
    expect(ended.stdout).not.toMatch(/after +done/);
  });

  it('a changed plan is held against the clone and against what the run has merged', async () => {
    const at = scene();
    const first = { id: 'first', parallel_group: 1 };
    const slow = (reads: readonly string[]) => ({ id: 'slow', parallel_group: 2, reads });
    const path = at.plan([first, slow(['README.md'])]);
    const host = at.start(['run', path, ...at.agent(BODY), '--run-mode', 'balanced']);
    await host.saying('slow');
    host.child.kill('SIGINT');
    await host.ended;
    at.plan([first, slow(['first.txt', 'ghost.txt'])]);
    const refused = await at.atelier(['resume', '--take-plan']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/tasks\[1\]\.reads\[1\].*ghost\.txt.*not in the repository/s);
    expect(refused.stderr).not.toContain('first.txt');
    // What is done and merged is there, also for a plan that no longer has its task.
    at.plan([slow(['README.md', 'first.txt'])]);
    const ended = await at.atelier(['resume', '--take-plan']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('- first')]);
  });

  it('abort --hard from another terminal does the same', async () => {
    const at = scene();
    const host = start(at);
    await host.saying('accepted');
    const abort = await at.atelier(['abort', '--hard']);
    expect(abort).toMatchObject({ code: 0 });
    expect((await host.ended).code).toBe(5);
    expect(processesOf(at)).toEqual([]);
    await resumed(at);
  });

  it('abort --soft dispatches nothing more, lets the workers finish, exits 4', async () => {
    const at = scene();
    const body = "console.log('x'); await sleep(2500); done();";
    const host = at.start(['run', at.plan(TASKS), ...at.agent(body), '--run-mode', 'balanced']);
    await host.saying('slow');
    expect((await at.atelier(['abort', '--soft'])).code).toBe(0);
    const ended = await host.ended;
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('stopped by the operator');
    await resumed(at);
  });

  it('is not resumed where its merged work is gone: nothing starts, and it is told whose', async () => {
    const at = scene();
    const body =
      "if (task === 'after' && attempt === '1') { console.log('working'); await sleep(600000); } done();";
    const host = at.start(['run', at.plan(TASKS), ...at.agent(body), '--run-mode', 'balanced']);
    await host.saying('after');
    host.child.kill('SIGINT');
    await host.ended;
    const branch = at.git('for-each-ref', '--format=%(refname)', 'refs/heads/atelier').trim();
    const tip = at.git('rev-parse', branch).trim();
    at.git('update-ref', branch, 'HEAD');
    const refused = await at.atelier(['resume']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/MERGED_WORK_MISSING.* of tasks (?:slow, other|other, slow)\./s);
    expect(processesOf(at)).toEqual([]);
    at.git('update-ref', branch, tip);
    await resumed(at);
  });

  it('abort of a run without a host says so', async () => {
    const at = scene();
    const host = start(at);
    await host.saying('accepted');
    host.child.kill('SIGKILL');
    await host.ended;
    const abort = await at.atelier(['abort', '--hard']);
    expect(abort.code).toBe(2);
    expect(abort.stderr).toMatch(/NO_HOST/);
    const ended = await at.atelier(['resume', '--wall-clock', '2s']);
    expect(ended.code).toBe(0);
  });

  it('kill -9 of the host: its worker is adopted by resume, same attempt, no new charge', async () => {
    const at = scene();
    const body = "if (task === 'slow') await sleep(15000); done();";
    const host = at.start(['run', at.plan(TASKS), ...at.agent(body), '--run-mode', 'balanced']);
    await host.saying('accepted');
    host.child.kill('SIGKILL');
    await host.ended;
    expect(processesOf(at).length).toBeGreaterThan(0);
    const ended = await resumed(at);
    expect(ended.stdout).toMatch(/slow +done +1 /);
    expect(processesOf(at)).toEqual([]);
  });

  it('kill -9 of the host: an orphan ends at its backstop', async () => {
    const at = scene();
    const host = start(at, '--wall-clock', '10s', '--max-workers', '1');
    await workerOf(at);
    host.child.kill('SIGKILL');
    await host.ended;
    expect(processesOf(at)).not.toEqual([]);
    // The backstop is a minute after the deadline; this waits for it.
    while (processesOf(at).length > 0) await new Promise((resolve) => setTimeout(resolve, 500));
    expect(processesOf(at)).toEqual([]);
  }, 180_000);
});
