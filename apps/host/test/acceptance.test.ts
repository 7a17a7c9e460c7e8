import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { processesOf, type Scene, scene } from './host-process.ts';

// Whole hosts, or plans of 100,000 tasks, on machines that may be slow.
vi.setConfig({ testTimeout: 240_000 });

const run = (at: Scene, plan: string, body: string, ...more: string[]) =>
  at.atelier(['run', plan, ...at.agent(body), '--run-mode', 'balanced', ...more]);

const branchOf = (at: Scene) =>
  at.git('branch', '--list', 'atelier/*', '--format=%(refname:short)').trim();

/** Has the worker keep its briefing beside its work, in a file that is no one’s scope. */
const BRIEFED = `
let told = ''; for await (const part of process.stdin) told += part;
`;

describe('the write scope', () => {
  it('an undeclared edit fails the attempt and is named; the next attempt is told', async () => {
    const at = scene();
    const plan = at.plan([{ id: 'a', parallel_group: 1, writes: ['a.txt'] }]);
    const ended = await run(
      at,
      plan,
      `${BRIEFED}
      if (attempt === '1') writeFileSync('other.txt', 'x');
      writeFileSync('a.txt', told); reply({ status: 'done' });`,
    );
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/write-scope: .*other\.txt/);
    expect(at.git('ls-tree', '--name-only', branchOf(at))).not.toContain('other.txt');
    const told = at.git('show', `${branchOf(at)}:a.txt`);
    expect(told).toContain('other.txt');
    expect(told).toMatch(/refs\/atelier\/[^\s]+\/a[^\s]*\/1/);
  });

  it('a protected path must be named, whatever else may be written', async () => {
    const at = scene();
    const plan = at.plan([
      { id: 'a', parallel_group: 1 },
      { id: 'b', parallel_group: 1, writes: ['.github/**'] },
    ]);
    const ended = await run(
      at,
      plan,
      `mkdirSync('.github/workflows', { recursive: true });
       writeFileSync('.github/workflows/' + task + '.yml', 'on: push\\n'); reply({ status: 'done' });`,
      '--max-attempts',
      '1',
    );
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/a +engine-abandon capacity/);
    expect(ended.stderr).toMatch(/write-scope: .*\.github\/workflows\/a\.yml/);
    expect(at.git('ls-tree', '-r', '--name-only', branchOf(at))).toContain('b.yml');
  });
});

describe('verify', () => {
  it('runs on the work behind the walls; its output goes to the next attempt, which goes on from the work', async () => {
    const at = scene();
    const plan = at.plan([
      {
        id: 'a',
        parallel_group: 1,
        writes: ['a.txt', 'told.txt'],
        verify: `cat a.txt; touch ${at.folder}/planted; grep -q right a.txt`,
      },
    ]);
    const ended = await run(
      at,
      plan,
      `${BRIEFED}
      const had = existsSync('a.txt') ? readFileSync('a.txt', 'utf8') : '';
      writeFileSync('a.txt', had + (attempt === '1' ? 'wrong-answer\\n' : 'right\\n'));
      writeFileSync('told.txt', told); reply({ status: 'done' });`,
    );
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/failed: verify: .*exited with 1/);
    expect(at.git('show', `${branchOf(at)}:a.txt`)).toBe('wrong-answer\nright\n');
    expect(at.git('show', `${branchOf(at)}:told.txt`)).toContain('wrong-answer');
    expect(existsSync(join(at.folder, 'planted'))).toBe(false);
  });
});

describe('a review', () => {
  const tasks = [
    {
      id: 'a',
      parallel_group: 1,
      assigned_persona: 'backend-engineer',
      writes: ['a.txt', 'told.txt'],
    },
    { id: 'r', parallel_group: 2, assigned_persona: 'code-reviewer', reviews: 'a' },
    {
      id: 'c',
      parallel_group: 3,
      assigned_persona: 'backend-engineer',
      writes: ['c.txt'],
      depends_on: ['r'],
    },
  ];

  it('reads the work where it lies and can not change it; its no goes, fenced, to the author, who goes on from the work', async () => {
    const at = scene();
    const ended = await run(
      at,
      at.plan(tasks),
      `${BRIEFED}
      if (task === 'r') {
        const work = readFileSync('a.txt', 'utf8');
        let walled = false;
        try { writeFileSync('a.txt', 'forged'); } catch { walled = true; }
        if (!walled) process.exit(9);
        if (!told.includes('review')) process.exit(8);
        if (work.includes('second')) reply({ status: 'done', artifacts: ['a.txt'] });
        else reply({ status: 'blocked', artifacts: [], notes_md: 'MISSING-SECOND-LINE' });
      } else if (task === 'a') {
        const had = existsSync('a.txt') ? readFileSync('a.txt', 'utf8') : '';
        writeFileSync('a.txt', had + (attempt === '1' ? 'first\\n' : 'second\\n'));
        writeFileSync('told.txt', told); reply({ status: 'done' });
      } else { readFileSync('a.txt'); done(); }`,
    );
    expect(ended.stderr).toMatch(/review/);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('3 of 3 tasks done');
    expect(at.git('show', `${branchOf(at)}:a.txt`)).toBe('first\nsecond\n');
    expect(at.git('show', `${branchOf(at)}:told.txt`)).toContain('MISSING-SECOND-LINE');
  });

  it('looks at what would be merged, whatever the author or verify has left in the folder', async () => {
    const at = scene();
    const ended = await run(
      at,
      at.plan([{ ...tasks[0], verify: 'echo harmless > a.txt' }, tasks[1] ?? {}]),
      `if (task === 'a') { writeFileSync('a.txt', 'EVIL'); writeFileSync('told.txt', ''); reply({ status: 'done' }); }
       else {
         const seen = readFileSync('a.txt', 'utf8');
         reply(seen === 'EVIL' ? { status: 'blocked', artifacts: [], notes_md: 'SEEN' } : { status: 'done' });
       }`,
      '--max-attempts',
      '1',
    );
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('SEEN');
    expect(at.git('ls-tree', '--name-only', branchOf(at))).toBe('README.md\n');
  });

  it('that never approves leaves nothing on the branch, and both are escalated', async () => {
    const at = scene();
    const ended = await run(
      at,
      at.plan(tasks),
      `if (task === 'r') { if (attempt === '1') process.exit(1); reply({ status: 'blocked', artifacts: [], notes_md: 'no' }); }
       else { writeFileSync('a.txt', 'try ' + attempt); reply({ status: 'done' }); }`,
      '--max-attempts',
      '2',
    );
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/a +engine-abandon capacity/);
    expect(ended.stdout).toMatch(/r +engine-abandon/);
    expect(ended.stdout).toMatch(/c +engine-abandon blocked/);
    expect(at.git('ls-tree', '--name-only', branchOf(at))).toBe('README.md\n');
  });
});

describe('the wave gate', () => {
  const GATE = 'test ! -e t2.txt || test ! -e t5.txt || { echo BOTH-ARE-HERE; exit 3; }';
  const six = Array.from({ length: 6 }, (_, at) => ({
    id: `t${at + 1}`,
    parallel_group: 1,
    writes: [`t${at + 1}.txt`],
  }));

  it('two of six are green alone and red together: the culprit is named, the rest is merged', async () => {
    const at = scene();
    const ended = await run(
      at,
      at.plan(six, { gate: GATE }),
      `if (task === 't5' && attempt === '2') {
        let told = ''; for await (const part of process.stdin) told += part;
        if (!told.includes('BOTH-ARE-HERE')) process.exit(9);
        reply({ status: 'abandoned', notes_md: 'ABANDON: conflict:t2 and t5 do not go together' });
      } else done();`,
    );
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/t5 +worker-abandon conflict/);
    expect(ended.stdout).toContain('5 of 6 tasks done');
    expect(ended.stderr).toMatch(/t5 .*failed: wave-gate: .*exited with 3/);
    const files = at.git('ls-tree', '--name-only', branchOf(at)).trim().split('\n');
    expect(files).toEqual(['README.md', 't1.txt', 't2.txt', 't3.txt', 't4.txt', 't6.txt']);
  });

  it('a gate that is red before the wave has no culprit: the run is parked, and goes on when it is mended', async () => {
    const at = scene();
    const path = at.plan([six[0] ?? {}], { gate: 'test -e mended' });
    const ended = await run(at, path, 'done();');
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('without any work of this wave');
    expect(at.git('ls-tree', '--name-only', branchOf(at))).toBe('README.md\n');
    at.plan([six[0] ?? {}], { gate: 'test -e t1.txt' });
    const resumed = await at.atelier(['resume', '--take-plan']);
    expect(resumed.code).toBe(0);
    expect(at.git('ls-tree', '--name-only', branchOf(at))).toContain('t1.txt');
  });
});

describe('what a fresh worktree gets', () => {
  const withIgnored = () => {
    const at = scene();
    writeFileSync(join(at.repo, '.gitignore'), 'deps/\n.env\nbuilt/\n');
    at.git('add', '.');
    at.git('commit', '-q', '-m', 'ignore');
    mkdirSync(join(at.repo, 'deps/lib'), { recursive: true });
    writeFileSync(join(at.repo, 'deps/lib/index.js'), 'the clone’s own');
    writeFileSync(join(at.repo, '.env'), 'MODE=test\n');
    return at;
  };

  it('copies, hard links and set-up are there, for workers, verify and gate; linked files can not be written', async () => {
    const at = withIgnored();
    const there = 'test -e deps/lib/index.js && test -e .env && test -e built/ok';
    const path = at.plan([{ id: 'a', parallel_group: 1, writes: ['a.txt'], verify: there }], {
      gate: there,
      worktree: { copy: ['.env'], link: ['deps'], setup: ['mkdir -p built && touch built/ok'] },
    });
    const ended = await run(
      at,
      path,
      `writeFileSync('.env', 'MODE=changed'); readFileSync('built/ok');
       try { writeFileSync('deps/lib/index.js', 'spoilt'); process.exit(9); } catch {}
       done();`,
    );
    expect(ended.stderr).not.toMatch(/failed/);
    expect(ended.code).toBe(0);
    expect(readFileSync(join(at.repo, 'deps/lib/index.js'), 'utf8')).toBe('the clone’s own');
    expect(readFileSync(join(at.repo, '.env'), 'utf8')).toBe('MODE=test\n');
  });

  it('what is linked can not be had by moving the folder that it is in', async () => {
    const at = withIgnored();
    mkdirSync(join(at.repo, 'app/deps'), { recursive: true });
    writeFileSync(join(at.repo, 'app/main.js'), '1');
    writeFileSync(join(at.repo, 'app/deps/index.js'), 'the clone’s own');
    at.git('add', '.');
    at.git('commit', '-q', '-m', 'app');
    const ended = await run(
      at,
      at.plan(
        [
          {
            id: 'a',
            parallel_group: 1,
            verify: '! echo spoilt > moved/deps/index.js; ! echo spoilt > app/deps/index.js',
          },
        ],
        {
          worktree: { link: ['app/deps'] },
        },
      ),
      `renameSync('app', 'moved'); mkdirSync('app/deps', { recursive: true });
       writeFileSync('app/main.js', '2'); reply({ status: 'done' });`,
      '--max-attempts',
      '1',
    );
    expect(ended.code).toBe(0);
    expect(readFileSync(join(at.repo, 'app/deps/index.js'), 'utf8')).toBe('the clone’s own');
  });

  it('work in which worktrees can not be set up any more is not merged, gate or none', async () => {
    const at = withIgnored();
    writeFileSync(join(at.repo, 'setup.sh'), 'exit 0\n');
    at.git('add', '.');
    at.git('commit', '-q', '-m', 'set-up');
    const tasks = [
      { id: 'a', parallel_group: 1, writes: ['setup.sh'] },
      { id: 'b', parallel_group: 1, writes: ['b.txt'] },
      { id: 'c', parallel_group: 2, writes: ['c.txt'] },
    ];
    const ended = await run(
      at,
      at.plan(tasks, { worktree: { setup: ['sh setup.sh'] } }),
      "if (task === 'a') { writeFileSync('setup.sh', 'echo BROKEN-SETUP; exit 7\\n'); reply({ status: 'done' }); } else done();",
      '--max-attempts',
      '1',
    );
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/a .*failed: wave-gate/);
    expect(ended.stdout).toContain('2 of 3 tasks done');
    expect(at.git('show', `${branchOf(at)}:setup.sh`)).toBe('exit 0\n');
  });

  it('a set-up that fails, or leaves what looks like work, is refused before any charge', async () => {
    const at = withIgnored();
    const task = [{ id: 'a', parallel_group: 1 }];
    const failing = await run(
      at,
      at.plan(task, { worktree: { setup: ['echo no-such-thing; exit 5'] } }),
      'done();',
    );
    expect(failing.code).toBe(2);
    expect(failing.stderr).toMatch(/SETUP_FAILED.*exited with 5.*no-such-thing/s);
    const leaving = await run(
      at,
      at.plan(task, { worktree: { setup: ['touch stray.txt'] } }),
      'done();',
      '--new',
    );
    expect(leaving.code).toBe(2);
    expect(leaving.stderr).toMatch(/SETUP_CHANGES_FILES.*stray\.txt/s);
  });
});

describe('--merge', () => {
  const tasks = [{ id: 'a', parallel_group: 1, writes: ['a.txt'] }];

  it('moves the branch that is checked out only when asked, and keeps edits that are not in the way', async () => {
    const at = scene();
    writeFileSync(join(at.repo, 'README.md'), 'edited by the user\n');
    const ended = await run(at, at.plan(tasks), 'done();', '--merge', 'ff');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Merged into main.');
    expect(at.git('ls-tree', '--name-only', 'main')).toContain('a.txt');
    expect(at.git('status', '--porcelain')).toBe(' M README.md\n');
  });

  it('changes nothing when something is in the way, and says what', async () => {
    const at = scene();
    writeFileSync(join(at.repo, 'a.txt'), 'the user’s own\n');
    const before = at.git('rev-parse', 'main');
    const ended = await run(at, at.plan(tasks), 'done();', '--merge', 'no-ff');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/It was not merged: .*a\.txt/s);
    expect(ended.stdout).toContain('Take it over with: atelier merge ');
    expect(at.git('rev-parse', 'main')).toBe(before);
    expect(at.git('status', '--porcelain')).toBe('?? a.txt\n');
  });

  it('later, by atelier merge: not over a file that git ignores, and with a commit where the branch has moved on', async () => {
    const at = scene();
    const body =
      "mkdirSync('src'); writeFileSync('src/.gitignore', '!*.env'); writeFileSync('src/local.env', 'worker'); reply({ status: 'done' });";
    writeFileSync(join(at.repo, '.gitignore'), '*.env\n');
    at.git('add', '.');
    at.git('commit', '-q', '-m', 'ignore');
    mkdirSync(join(at.repo, 'src'));
    writeFileSync(join(at.repo, 'src/local.env'), 'the user’s own');
    expect(
      (await run(at, at.plan([{ id: 'a', parallel_group: 1, writes: ['src'] }]), body)).code,
    ).toBe(0);
    const refused = await at.atelier(['merge']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/NOT_MERGED.*src\/local\.env/s);
    expect(readFileSync(join(at.repo, 'src/local.env'), 'utf8')).toBe('the user’s own');
    rmSync(join(at.repo, 'src'), { recursive: true });
    at.git('commit', '-q', '--allow-empty', '-m', 'meanwhile');
    const merged = await at.atelier(['merge']);
    expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('into main') });
    expect(at.git('log', '-1', '--format=%s')).toMatch(/^Merge the work of run/);
    expect(readFileSync(join(at.repo, 'src/local.env'), 'utf8')).toBe('worker');
    expect(at.git('status', '--porcelain')).toBe('');
  });

  it('is refused at the start without a branch', async () => {
    const at = scene();
    at.git('checkout', '-q', '--detach');
    const ended = await run(at, at.plan(tasks), 'done();', '--merge', 'ff');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('MERGE_DETACHED');
  });
});

describe('git inside the walls', () => {
  const GIT = `
  const { spawnSync } = await import('node:child_process');
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
    return { code: status, said: stdout + stderr };
  };`;

  it('status, diff, log and show work in a carved worktree; commit is refused, and the work is committed outside', async () => {
    const at = scene();
    const plan = at.plan([{ id: 'a', parallel_group: 1, writes: ['README.md', 'seen.json'] }]);
    const ended = await run(
      at,
      plan,
      `${GIT}
      writeFileSync('README.md', 'changed\\n');
      const seen = {
        status: git('status', '--porcelain'), diff: git('diff', '--stat'), log: git('log', '--format=%s'),
        show: git('show', 'HEAD:README.md'), commit: git('commit', '-am', 'mine'), add: git('add', '-A'),
      };
      writeFileSync('seen.json', JSON.stringify(seen)); reply({ status: 'done' });`,
    );
    expect(ended.code).toBe(0);
    const seen = JSON.parse(at.git('show', `${branchOf(at)}:seen.json`));
    expect(seen).toMatchObject({
      status: { code: 0, said: ' M README.md\n' },
      diff: { code: 0 },
      log: { code: 0, said: 'begin\n' },
      show: { code: 0, said: 'hello\n' },
    });
    expect(seen.diff.said).toContain('1 file changed');
    expect(seen.commit).toMatchObject({ code: 128 });
    expect(seen.add).toMatchObject({ code: 128 });
    expect(seen.commit.said).toContain('Read-only file system');
    expect(at.git('show', `${branchOf(at)}:README.md`)).toBe('changed\n');
  });

  it('shows the work of the attempt before as changes, where an attempt goes on from it', async () => {
    const at = scene();
    const plan = at.plan([
      { id: 'a', parallel_group: 1, writes: ['*'], verify: 'test -e seen.json' },
    ]);
    const ended = await run(
      at,
      plan,
      `${GIT}
      if (attempt === '1') { writeFileSync('README.md', 'half\\n'); writeFileSync('new.txt', 'n'); }
      else writeFileSync('seen.json', JSON.stringify(git('status', '--porcelain')));
      reply({ status: 'done' });`,
    );
    expect(ended.code).toBe(0);
    const { said } = JSON.parse(at.git('show', `${branchOf(at)}:seen.json`));
    expect(said).toBe(' M README.md\n?? new.txt\n');
    expect(at.git('show', `${branchOf(at)}:new.txt`)).toBe('n');
  });
});

describe('a host that is killed while it checks', () => {
  const running = async (at: Scene, text: string) => {
    while (!processesOf(at).some((line) => line.includes(text)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const gone = async (at: Scene, text: string) => {
    while (processesOf(at).some((line) => line.includes(text)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it.each([
    ['with verify', { verify: 'sleep 3.141' }, {}],
    ['with the wave gate', {}, { gate: 'sleep 3.141' }],
  ])(
    '%s leaves no command behind, and is gone on from without a further charge',
    async (_, more, keys) => {
      const at = scene();
      const plan = at.plan([{ id: 'a', parallel_group: 1, writes: ['a.txt'], ...more }], keys);
      const host = at.start(['run', plan, ...at.agent('done();'), '--run-mode', 'balanced']);
      await running(at, 'sleep 3.141');
      host.child.kill('SIGKILL');
      await host.ended;
      await gone(at, 'sleep 3.141');
      const resumed = await at.atelier(['resume']);
      expect(resumed.code).toBe(0);
      expect(resumed.stdout).toContain('1 of 1 task done, 1 attempt charged');
      expect(at.git('show', `${branchOf(at)}:a.txt`)).toBe('by attempt 1\n');
    },
  );

  it('while a reviewer works goes on with both attempts', async () => {
    const at = scene();
    const tasks = [
      { id: 'a', parallel_group: 1, assigned_persona: 'backend-engineer', writes: ['a.txt'] },
      { id: 'r', parallel_group: 1, assigned_persona: 'code-reviewer', reviews: 'a' },
    ];
    const body = `
      if (task === 'a') done();
      else { readFileSync('a.txt'); await sleep(4000); reply({ status: 'done', artifacts: ['a.txt'] }); }`;
    const host = at.start(['run', at.plan(tasks), ...at.agent(body), '--run-mode', 'balanced']);
    await host.saying('reviews a');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    host.child.kill('SIGKILL');
    await host.ended;
    const resumed = await at.atelier(['resume']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('2 of 2 tasks done, 2 attempts charged');
  });
});
