import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Ended,
  killAll,
  scene as newScene,
  processesOf,
  type Scene,
  workerOf,
} from './host-process.ts';

// Each of them starts many hosts.
vi.setConfig({ testTimeout: 240_000 });

const scenes: Scene[] = [];

const scene = (name?: string): Scene => {
  const at = newScene(name);
  scenes.push(at);
  return at;
};

/** A test that fails half-way must not leave the worker of a killed host behind. */
afterEach(() => {
  for (const at of scenes.splice(0)) killAll(at);
});

const TASKS = ['fine', 'gone', 'slow'].map((id) => ({ id, parallel_group: 1 }));

/** One is done, one gives up with something half done, one is not done in time. */
const BODY = `
  if (task === 'fine') { done(); process.exit(); }
  writeFileSync(task + '.txt', 'half\\tdone\\n');
  writeFileSync('README.md', 'changed by ' + task + '\\n');
  if (task === 'gone') reply({ status: 'abandoned', notes_md: 'ABANDON: scope:too big' });
  if (task === 'slow') await sleep(600000);`;

const run = (at: Scene, ...more: string[]) =>
  at.atelier([
    ...['run', at.plan(TASKS), ...at.agent(BODY), '--run-mode', 'balanced'],
    ...['--wall-clock', '8s', '--max-attempts', '1', ...more],
  ]);

const lines = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** All of the clone that is its user's: files, index, branch, and branches but the runs'. */
const checkoutOf = ({ repo, git }: Scene) =>
  [
    ...readdirSync(repo).sort(),
    readFileSync(join(repo, 'README.md'), 'utf8'),
    git('status', '--porcelain=v2', '--branch'),
    git('for-each-ref', 'refs/tags', 'refs/stash'),
    git('branch', '--list', '--format=%(refname) %(objectname)', '[!a]*'),
  ].join('\n');

const refused = async (ended: Promise<Ended>, message: RegExp) => {
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd()).not.toContain('\n');
};

describe('atelier salvage', () => {
  it('lists, shows and restores what a run saved of an abandoned and a timed-out task', async () => {
    const at = scene('täa with space');
    writeFileSync(join(at.repo, 'README.md'), 'edited by the user\n');
    expect((await run(at)).code).toBe(3);
    // Saved work needs no journal.
    writeFileSync(join(at.repo, '.git/atelier/atelier.db'), 'broken');
    const before = checkoutOf(at);

    const list = await at.atelier(['salvage', 'list']);
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/^fine +1 .* merged +[0-9a-f]{10}$/m);
    expect(list.stdout).toMatch(/^gone +1 .* 2 +unmerged +[0-9a-f]{10}$/m);
    expect(list.stdout).toMatch(/^slow +1 .* 2 +unmerged +[0-9a-f]{10}$/m);
    expect(list.stdout).toContain('3 saved, 2 of them unmerged');
    const items = lines(await at.atelier(['salvage', 'list', '--json']));
    expect(items).toHaveLength(3);
    const slow = items.find(({ task }) => task === 'slow');
    expect(slow).toMatchObject({ version: 1, attempt: 1, files: 2, merged: false, after: false });
    expect(lines(await at.atelier(['salvage', 'list', '--json', '--run', slow.run]))).toEqual(
      items,
    );
    expect((await at.atelier(['salvage', 'list', '--run', 'none'])).stdout).toBe(
      'No saved work.\n',
    );

    const show = await at.atelier(['salvage', 'show', 'slow', '--patch']);
    expect(show.code).toBe(0);
    expect(show.stdout).toContain(`ref     ${slow.ref}\n`);
    expect(show.stdout).toMatch(/^modified +\+1 -1 +README\.md$/m);
    expect(show.stdout).toMatch(/^added +\+1 -0 +slow\.txt$/m);
    expect(show.stdout).toContain('\n+half    done\n');
    const [json] = lines(await at.atelier(['salvage', 'show', slow.ref, '--json']));
    expect(json).toMatchObject({ version: 1, ref: slow.ref, changes: [{}, { path: 'slow.txt' }] });
    expect(json).not.toHaveProperty('patch');

    const branch = await at.atelier(['salvage', 'restore', 'gone', '--branch', 'back/gone']);
    expect(branch.code).toBe(0);
    expect(branch.stdout).toContain(`git diff ${slow.base} back/gone\n`);
    expect(at.git('show', 'back/gone:gone.txt')).toBe('half\tdone\n');
    const folder = await at.atelier(['salvage', 'restore', slow.ref, '--to', '../back slow']);
    expect(folder.code).toBe(0);
    expect(folder.stdout).toContain(`diff -r --exclude=.git '${at.repo}' '${at.folder}/back slow'`);
    expect(readdirSync(join(at.folder, 'back slow')).sort()).toEqual(['README.md', 'slow.txt']);

    at.git('branch', '-q', 'mine', 'HEAD');
    symlinkSync('/nowhere', join(at.folder, 'link'));
    const restore = (...more: string[]) => at.atelier(['salvage', 'restore', 'slow', ...more]);
    for (const name of ['mine', 'main', 'back/gone'])
      await refused(restore('--branch', name), /^BRANCH_EXISTS: /);
    for (const place of ['../back slow', '../link', at.folder])
      await refused(restore('--to', place), /^DESTINATION_EXISTS: /);
    await refused(restore('--to', 'new'), /^DESTINATION_INSIDE_CLONE: /);
    await refused(restore('--branch', '--detach'), /^atelier: .*ambiguous/);
    await refused(restore('--branch=-d'), /^INVALID_BRANCH: /);
    await refused(restore(), /^atelier: .*either --branch NAME or --to DIR/);
    await refused(restore('--branch', 'x', '--to', '../x'), /either --branch NAME or --to DIR/);
    await refused(restore('--branch', 'x', '--attempt', '2'), /^NO_SUCH_SALVAGE: .*attempt 2/);
    await refused(restore('--branch', 'x', '--run', 'none'), /^NO_SUCH_SALVAGE: .*run none/);
    await refused(at.atelier(['salvage', 'show', 'fin']), /^NO_SUCH_SALVAGE: .*salvage list/);
    await refused(at.atelier(['salvage', 'show', 'refs/heads/main']), /^NO_SUCH_SALVAGE: /);
    at.git('branch', '-q', '-D', 'mine', 'back/gone');
    expect(checkoutOf(at)).toBe(before);
  });

  it('hostile task ids, file names and lines are shown, not obeyed', async () => {
    const at = scene();
    const id = '-x\u202e; rm -rf $(touch planted) ../..';
    const body = `
      writeFileSync('a\\n\\x1b[2Jb\\u202e.txt', 'one\\x1b]0;title\\x07\\n\\u2028two\\n');
      reply({ status: 'abandoned', notes_md: 'ABANDON: scope:no' });`;
    const plan = at.plan([{ id, parallel_group: 1 }]);
    expect((await at.atelier(['run', plan, ...at.agent(body)])).code).toBe(3);
    const [item] = lines(await at.atelier(['salvage', 'list', '--json']));
    for (const args of [
      ['list'],
      ['list', '--json'],
      ['show', item.ref, '--patch'],
      ['show', item.task, '--json', '--patch'],
      ['show', '--', id],
      ['show', '--', `${id}\u001b[2J`],
      ['restore', item.ref, '--branch', '\u001b[2J'],
      ['restore', item.ref, '--to', '../\u001b[2J'],
    ]) {
      const { stdout, stderr } = await at.atelier(['salvage', ...args]);
      expect(stdout + stderr).not.toBe('');
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    }
    const { stdout } = await at.atelier(['salvage', 'show', item.ref, '--patch']);
    expect(stdout).toMatch(/^added +\+2 -0 +a\\x0a\\x1b\[2Jb\\u\{202e\}\.txt$/m);
    expect(stdout).toContain('+one\\x1b]0;title\\x07');
  });
});

/** A host that is gone, and the worktrees that it left, the worker of one still in it. */
async function orphaned(at: Scene, ...more: string[]) {
  const body = `if (existsSync('half.txt') || attempt !== '1') done();
    else { writeFileSync('half.txt', 'kept'); console.log('written'); await sleep(600000); }`;
  const plan = at.plan([{ id: 'slow', parallel_group: 1 }]);
  const host = at.start(['run', plan, ...at.agent(body), ...more]);
  await workerOf(at);
  for (;;) {
    const { stdout } = await at.atelier(['logs', 'slow', ...more]);
    if (stdout.includes('written')) break;
  }
  host.child.kill('SIGKILL');
  await host.ended;
}

const worktrees = (at: Scene, ...args: string[]) => at.atelier(['worktrees', ...args]);

describe('atelier worktrees', () => {
  it('lists what a killed host left; gc keeps it, and with --unfinished saves it and ends its workers', async () => {
    const at = scene();
    await orphaned(at);
    const before = checkoutOf(at);
    const [left] = lines(await worktrees(at, 'list', '--json'));
    expect(left).toMatchObject({ version: 1, taskId: 'slow', attempt: 1, state: 'unsaved' });
    const list = await worktrees(at, 'list');
    expect(list.stdout).toMatch(/slow, attempt 1 +unsaved +\d+ B .*\/wt\//);
    expect(list.stdout).toContain('\n1 worktree, ');

    const kept = await worktrees(at, 'gc');
    expect(kept.code).toBe(0);
    expect(kept.stdout).toMatch(/^kept .* unfinished: resume it, or add --unfinished$/m);
    expect(kept.stdout).toContain('Removed 0 worktrees, 0 B; kept 1 worktree, ');
    const dry = await worktrees(at, 'gc', '--unfinished', '--dry-run');
    expect(dry.stdout).toMatch(/^would go .*slow, attempt 1/m);
    expect(lines(await worktrees(at, 'gc', '--unfinished', '--dry-run', '--json'))).toMatchObject([
      { version: 1, outcome: 'would-remove', path: left.path },
    ]);
    const roomy = await worktrees(at, 'gc', '--unfinished', '--max', '1GB', '--dry-run');
    expect(roomy.stdout).toContain('within the budget');
    expect(existsSync(join(left.path, 'half.txt'))).toBe(true);
    expect(processesOf(at)).not.toEqual([]);
    expect(at.git('for-each-ref', 'refs/atelier')).toBe('');

    const gone = await worktrees(at, 'gc', '--unfinished', '--max', '0');
    expect(gone).toMatchObject({ code: 0, stderr: 'ended the worker of task slow, attempt 1\n' });
    expect(gone.stdout).toMatch(/^removed .*slow, attempt 1/m);
    expect(gone.stdout).toContain('atelier salvage list');
    expect(processesOf(at)).toEqual([]);
    expect(existsSync(left.path)).toBe(false);
    expect((await worktrees(at, 'list')).stdout).toBe('No run has left a worktree.\n');
    const restored = await at.atelier(['salvage', 'restore', 'slow', '--to', '../back']);
    expect(restored.code).toBe(0);
    expect(readFileSync(join(at.folder, 'back/half.txt'), 'utf8')).toBe('kept');
    expect(checkoutOf(at)).toBe(before);

    const resumed = await at.atelier(['resume']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('1 of 1 task done');
  });

  it('finds what a run left where it was told to keep it; without a journal it stays', async () => {
    const at = scene();
    const elsewhere = ['--state-dir', join(at.folder, 'elsewhere')];
    await orphaned(at, ...elsewhere);
    const [left] = lines(await worktrees(at, 'list', '--json'));
    expect(left.path).toContain('/elsewhere/');
    expect(lines(await worktrees(at, 'list', '--json', ...elsewhere))).toHaveLength(1);
    for (const name of readdirSync(join(at.repo, '.git/atelier')))
      if (name.startsWith('atelier.db')) writeFileSync(join(at.repo, '.git/atelier', name), '');
    expect(lines(await worktrees(at, 'list', '--json'))).toEqual([]);
    const kept = await worktrees(at, 'gc', ...elsewhere);
    expect(kept.stdout).toContain('its run is not in the journal: add --unfinished');
    expect(existsSync(left.path)).toBe(true);
    const gone = await worktrees(at, 'gc', '--unfinished', ...elsewhere);
    expect(gone.stdout).toContain('Removed 1 worktree, ');
    expect(processesOf(at)).toEqual([]);
    expect(at.git('for-each-ref', 'refs/atelier')).not.toBe('');
  });

  it('gc removes what runs that have ended left, and keeps what is within the budget', async () => {
    const at = scene();
    await orphaned(at);
    const [left] = lines(await worktrees(at, 'list', '--json'));
    const pointer = readFileSync(join(left.path, '.git'), 'utf8');
    expect((await at.atelier(['resume', '--wall-clock', '3s', '--max-attempts', '1'])).code).toBe(
      3,
    );
    expect(processesOf(at)).toEqual([]);
    // A folder that could not go at its time, as when its disk was full.
    at.git('worktree', 'add', '-q', '--detach', left.path);
    const given = readFileSync(join(left.path, '.git'), 'utf8');
    const [from, to] = [given, pointer].map((text) => text.replace('gitdir: ', '').trim());
    renameSync(from ?? '', to ?? '');
    writeFileSync(join(left.path, '.git'), pointer);
    writeFileSync(join(left.path, 'late.txt'), 'late');
    const kept = await worktrees(at, 'gc', '--max', '1GB');
    expect(kept.stdout).toContain('the rest is within the budget');
    expect(existsSync(left.path)).toBe(true);
    const gone = await worktrees(at, 'gc');
    expect({ ...gone, left: existsSync(left.path) }).toMatchObject({ code: 0, left: false });
    const saved = lines(await at.atelier(['salvage', 'list', '--json']));
    expect(saved.map(({ after }) => after).sort()).toEqual([false, true]);
    const show = await at.atelier(['salvage', 'show', 'slow']);
    expect(show.stdout).toMatch(/^beside +refs\/atelier\/.*-after$/m);
    const late = saved.find(({ after }) => after);
    expect(at.git('show', `${late.ref}:late.txt`)).toBe('late');
  });

  it('gc is refused while a host is at work', async () => {
    const at = scene();
    const plan = at.plan([{ id: 'slow', parallel_group: 1 }]);
    const host = at.start(['run', plan, ...at.agent('await sleep(600000);')]);
    await workerOf(at);
    for (const more of [[], ['--unfinished'], ['--dry-run']])
      await refused(
        worktrees(at, 'gc', ...more),
        /^STORE_LOCKED: it is in use by run \S+, process /,
      );
    expect(lines(await worktrees(at, 'list', '--json'))).toHaveLength(1);
    host.child.kill('SIGINT');
    expect((await host.ended).code).toBe(5);
    expect(processesOf(at)).toEqual([]);
  });
});
