import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandAgent, spoolOf } from '../src/index.ts';
import { livingWith, textOf, until } from './living.ts';
import { CONFINEMENTS, envelope, leaves, prints, type Stage, spool, stage } from './stage.ts';

describe.each(CONFINEMENTS)('a worker %s', (_, confinement) => {
  let on: Stage;
  /** Seconds that nothing else on this machine sleeps. */
  let forever: string;

  beforeEach(() => {
    on = stage(confinement);
    forever = `100000.${process.pid}${on.folder.replace(/\D/g, '')}${Date.now()}`;
  });
  afterEach(() => on.close());

  const printed = (text: string) => until(() => textOf(spool(on).stdout).includes(text));

  it('replies by the file that it was given', async () => {
    expect(await on.play(`echo talk; ${leaves()}`)).toEqual({ kind: 'replied', reply: envelope() });
  });

  it('gets the briefing on its standard input, the worktree as its folder and a clean environment', async () => {
    process.env['ATELIER_TEST_SECRET'] = 'secret';
    await on.play('cat; echo; pwd; env', { order: { briefing: 'the briefing' } });
    const seen = textOf(spool(on).stdout);
    expect(seen).toContain(`the briefing\n${on.worktree}\n`);
    expect(seen).not.toContain('secret');
    const names = [...seen.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const given = ['HOME', 'LANG', 'PATH', 'TERM', 'TZ'];
    const ours = ['ATTEMPT', 'NONCE', 'REPLY_FILE', 'TASK_ID'].map((name) => `ATELIER_${name}`);
    expect(new Set(names)).toEqual(new Set([...given, ...ours, 'PWD']));
    expect(seen).toContain('ATELIER_TASK_ID=T-1');
    expect(seen).toContain(`ATELIER_NONCE=${on.order().nonce}`);
  });

  it('never has a word of its own read as shell', async () => {
    const hostile = `'; touch ${join(on.worktree, 'owned')}; $(touch owned) \`touch owned\` "`;
    const task = { id: hostile, parallel_group: 1 };
    const body = `printf '%s' "$ATELIER_TASK_ID"; cat; ls`;
    const handle = await on.start(on.transport(on.script(body)), { task, briefing: hostile });
    await handle.report;
    const { stdout } = spoolOf(on.runDir, hostile, 1);
    expect(textOf(stdout)).toBe(hostile + hostile);
  });

  it('O-04: a flood of 50 MB is a failure with its byte count, and its sibling does not notice', async () => {
    const flood = on.play(
      `printf '%s' '{"type":"task_result","notes_md":"'; head -c 52428800 /dev/zero | tr '\\0' y; printf '"}'`,
    );
    const sibling = on.play(`sleep 0.3; ${prints(envelope({ attempt: 2 }))}`, {
      order: { attempt: 2 },
    });
    const report = await flood;
    expect(report).toMatchObject({ kind: 'failed', cause: 'output-limit' });
    expect(report).toMatchObject({ detail: expect.stringMatching(/wrote \d{8} bytes/) });
    expect(textOf(spool(on).stdout)).toHaveLength(32 * 1024 * 1024);
    expect(await sibling).toMatchObject({ kind: 'replied' });
  });

  it('O-04: one that never stops writing is ended', async () => {
    for (const [attempt, where] of [
      [1, 'standard output'],
      [2, 'standard error'],
    ] as const) {
      const redirected = attempt === 1 ? '' : '>&2';
      const report = await on.play(`yes ${forever} ${redirected}`, {
        order: { attempt },
        limits: { stdoutBytes: 100_000 },
      });
      expect(report).toMatchObject({
        cause: 'output-limit',
        detail: expect.stringContaining(where),
      });
    }
    expect(livingWith(forever)).toEqual([]);
  });

  it('O-04: a reply file over its limit is a failure, whether the worker ends or not', async () => {
    const fills = `head -c 5000 /dev/zero >"$ATELIER_REPLY_FILE"`;
    for (const [attempt, body] of [
      [1, fills],
      [2, `${fills}; sleep ${forever}`],
    ] as const)
      expect(
        await on.play(body, { order: { attempt }, limits: { replyBytes: 4_000 } }),
      ).toMatchObject({ cause: 'output-limit', detail: expect.stringContaining('5000 bytes') });
  });

  it('O-04: text that was cut is not repaired', async () => {
    const cut = JSON.stringify(envelope()).slice(0, -20);
    expect(await on.play(`printf '%s' '${cut}'`)).toMatchObject({ cause: 'no-reply' });
  });

  it('O-10: one that hangs after its complete reply is ended, and the reply counts', async () => {
    const report = await on.play(`${prints()}; exec sleep ${forever}`);
    expect(report).toEqual({ kind: 'replied', reply: envelope() });
    expect(livingWith(forever)).toEqual([]);
  });

  it('O-10: a reply after a long silence still counts', async () => {
    expect(await on.play(`sleep 0.8; ${leaves()}; sleep ${forever}`)).toMatchObject({
      kind: 'replied',
    });
  });

  it('a complete reply does not end one that goes on working', async () => {
    const body = `${leaves()}; for i in 1 2 3 4 5 6 7 8; do sleep 0.2; echo $i; done; exit 4`;
    expect(await on.play(body)).toMatchObject({ cause: 'exit', exitCode: 4 });
  });

  it('O-11: a grandchild that keeps standard output open does not keep the report back, and is gone', async () => {
    const report = await on.play(`sleep ${forever} & ${prints()}; exit 0`);
    expect(report).toMatchObject({ kind: 'replied' });
    expect(livingWith(forever)).toEqual([]);
  });

  it('O-12: one that ignores TERM is gone when stop resolves', async () => {
    const handle = await on.start(
      on.transport(
        on.script(`trap '' TERM INT HUP; echo ready; while :; do sleep ${forever}; done`),
      ),
    );
    await printed('ready');
    await Promise.all([handle.stop('timeout'), handle.stop('timeout')]);
    expect(livingWith(forever)).toEqual([]);
    expect(await handle.report).toEqual({
      kind: 'failed',
      cause: 'interrupted',
      detail: 'ended: timeout',
    });
    await handle.stop('again');
  });

  it('O-13: one that reads its input to the end gets to it', async () => {
    expect(await on.play(`cat >/dev/null; ${prints()}`)).toMatchObject({ kind: 'replied' });
  });

  it('O-14: a briefing of 140,000 bytes arrives whole', async () => {
    const briefing = 'x'.repeat(140_000);
    await on.play('wc -c', { order: { briefing } });
    expect(textOf(spool(on).stdout).trim()).toBe('140000');
  });

  it('O-14: an argument that the system does not take is refused by its size', async () => {
    const task = { id: 'x'.repeat(140_000), parallel_group: 1 };
    await expect(on.play('true', { order: { task } })).rejects.toMatchObject({
      code: 'ARGUMENT_TOO_LONG',
      message: expect.stringContaining('ATELIER_TASK_ID has 140016 bytes'),
    });
  });

  it('O-15: a helper that outlives its attempt is dead before stop resolves', async () => {
    const late = join(on.worktree, 'late.txt');
    const helper = on.script(`echo helper; sleep ${forever}; echo late >>'${late}'`, 'helper.sh');
    const handle = await on.start(
      on.transport(on.script(`'${helper}' & exec sleep ${forever}`), { limits: { graceMs: 0 } }),
    );
    await printed('helper');
    await handle.stop('timeout');
    expect(livingWith(forever)).toEqual([]);
    expect(livingWith(helper)).toEqual([]);
  });

  it.each([
    ['setsid', (sleeps: string) => `setsid ${sleeps}`],
    ['a double fork', (sleeps: string) => `(setsid sh -c '${sleeps} & echo forked' &)`],
    [
      'a session of its own that ignores TERM',
      (sleeps: string) => `setsid sh -c 'trap "" TERM HUP; ${sleeps}; ${sleeps}'`,
    ],
  ])(
    'one that forks away by %s is gone when it ends, and when it is stopped',
    async (_name, away) => {
      const flees = `${away(`sleep ${forever}`)} & echo ready`;
      expect(await on.play(`${flees}; ${leaves()}`)).toMatchObject({ kind: 'replied' });
      expect(livingWith(forever)).toEqual([]);

      const handle = await on.start(on.transport(on.script(`${flees}; sleep ${forever}`)), {
        attempt: 2,
      });
      await until(() => livingWith(`sleep\0${forever}`).length > 1);
      await handle.stop('timeout');
      expect(livingWith(forever)).toEqual([]);
    },
  );

  it('one that says nothing has left no reply', async () => {
    expect(await on.play('true')).toEqual({
      kind: 'failed',
      cause: 'no-reply',
      detail: 'it left no reply file and printed no result',
    });
  });

  it('exit code and signal are told apart from a reply, which is kept', async () => {
    expect(await on.play(`${leaves()}; echo 'it went wrong' >&2; exit 7`)).toEqual({
      kind: 'failed',
      cause: 'exit',
      detail: 'exit code 7; it last said: it went wrong',
      exitCode: 7,
      reply: envelope(),
    });
    expect(await on.play('kill -KILL $$', { order: { attempt: 2 } })).toMatchObject({
      cause: 'exit',
      detail: expect.stringContaining('ended by SIGKILL'),
    });
  });

  it('half a reply is none until it is whole', async () => {
    const text = JSON.stringify(envelope());
    const go = join(on.worktree, 'go');
    const body = `
      printf '%s' '${text.slice(0, 30)}' >"$ATELIER_REPLY_FILE"; echo half
      until [ -e '${go}' ]; do sleep 0.02; done
      printf '%s' '${text}' >"$ATELIER_REPLY_FILE.new"; mv "$ATELIER_REPLY_FILE.new" "$ATELIER_REPLY_FILE"
      echo whole; sleep ${forever}`;
    const handle = await on.start(on.transport(on.script(body)));
    await printed('half');
    expect(await handle.peek()).toBeUndefined();
    writeFileSync(go, '');
    await printed('whole');
    expect(await handle.peek()).toEqual(envelope());
    expect(await handle.peek()).toEqual(envelope());
    expect(await handle.report).toEqual({ kind: 'replied', reply: envelope() });
  });

  it.each([
    ['a link to a file of the host', 'ln -s "$PWD/../secret.json" "$ATELIER_REPLY_FILE"'],
    ['a pipe', 'mkfifo "$ATELIER_REPLY_FILE"'],
    ['a folder', 'mkdir "$ATELIER_REPLY_FILE"'],
  ])('a reply file that is %s is not followed', async (_name, body) => {
    writeFileSync(join(on.folder, 'secret.json'), JSON.stringify(envelope()));
    const handle = await on.start(on.transport(on.script(`${body}; ${prints()}`)));
    expect(await handle.report).toMatchObject({
      cause: 'no-reply',
      detail: expect.stringContaining('not a plain file'),
    });
  });

  it('what it wrote last is shown without its control characters', async () => {
    const report = await on.play(`printf '\\033]0;title\\007\\033[2Jbad' >&2; exit 1`);
    expect(report).toMatchObject({ detail: expect.stringContaining('bad') });
    expect(JSON.stringify(report)).not.toMatch(/\\u001b|\\u0007/);
  });

  it('output is a sign of life, and is told to whoever listens', async () => {
    const go = join(on.worktree, 'go');
    const body = `until [ -e '${go}' ]; do sleep 0.02; done; echo one; sleep ${forever}`;
    const handle = await on.start(on.transport(on.script(body)));
    const signals: unknown[] = [];
    handle.subscribe?.(() => {
      throw new Error('a listener that fails');
    });
    handle.subscribe?.((signal) => signals.push(signal));
    const before = handle.activity?.() ?? Number.NaN;
    writeFileSync(go, '');
    await until(() => (handle.activity?.() ?? 0) > before);
    await until(() => signals.length > 0);
    expect(signals[0]).toEqual({ kind: 'output', bytes: 4 });
    await handle.stop('enough');
  });

  it('one whose supervisor is killed is lost, and does not run on', async () => {
    const handle = await on.start(on.transport(on.script(`echo ready; exec sleep ${forever}`)));
    await printed('ready');
    process.kill(Number.parseInt(textOf(spool(on).supervisor), 10), 'SIGKILL');
    expect(await handle.report).toMatchObject({ kind: 'failed', cause: 'lost' });
    expect(livingWith(forever)).toEqual([]);
  });

  it('an agent whose reading of the output throws is a broken transport, not a broken run', async () => {
    const broken = (): never => {
      throw new Error('can not read \x1b[2J');
    };
    const program = on.script(`echo ready; exec sleep ${forever}`);
    const transport = on.transport(program, {
      agent: { ...commandAgent({ program }), replyIn: broken, report: broken },
    });
    const handle = await on.start(transport);
    await printed('ready');
    await expect(handle.peek()).rejects.toThrow('can not read');
    await handle.stop('over');
    expect(await handle.report).toMatchObject({ cause: 'interrupted' });
    const ending = await on.start(
      on.transport('true', { agent: { ...commandAgent({ program: 'true' }), report: broken } }),
      { attempt: 2 },
    );
    expect(await ending.report).toEqual({
      kind: 'failed',
      cause: 'transport',
      detail: 'Error: can not read \\x1b[2J',
    });
  });

  it('a program that is not there is named', async () => {
    const start = on.start(on.transport('no-such-agent'));
    await expect(start).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
      message: expect.stringContaining('no-such-agent'),
    });
  });

  it('an attempt without a folder of its own is refused', async () => {
    const { workspace: _none, ...order } = on.order();
    const start = on.transport(on.script('true')).start(order, new AbortController().signal);
    await expect(start).rejects.toMatchObject({ code: 'NO_WORKSPACE' });
  });

  it('an attempt is started once', async () => {
    await on.play('true');
    await expect(on.play('true')).rejects.toMatchObject({ code: 'ATTEMPT_EXISTS' });
  });

  it('a disk that can not be written is a failed start', async () => {
    writeFileSync(on.runDir, 'a file where the folder should be');
    await expect(on.play('true')).rejects.toMatchObject({ code: 'RUN_DIR_UNWRITABLE' });
  });

  it('a start that nobody waits for any more leaves nothing', async () => {
    const cancel = new AbortController();
    const transport = on.transport(on.script(`sleep ${forever}`));
    const starting = transport.start(on.order(), cancel.signal);
    cancel.abort();
    await expect(starting).rejects.toThrow();
    expect(livingWith(forever)).toEqual([]);
    await expect(transport.start(on.order({ attempt: 2 }), cancel.signal)).rejects.toThrow();
  });
});
