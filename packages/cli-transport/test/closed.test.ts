import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ATTESTED, envelope, leaves, SANDBOXED, type Stage, stage } from './stage.ts';

describe('a worker that may only read', () => {
  let on: Stage;
  afterEach(() => on.close());

  it('can write nothing of its worktree, and replies', async () => {
    on = stage(SANDBOXED);
    const body = `echo x >new; ${leaves()}`;
    const report = await on.play(body, { order: { readOnly: true } });
    expect(report).toEqual({ kind: 'replied', reply: envelope() });
    expect(existsSync(join(on.worktree, 'new'))).toBe(false);
  });

  it('what is frozen can not write that, and writes the rest', async () => {
    on = stage(SANDBOXED);
    const original = join(on.folder, 'original');
    const deps = join(on.worktree, 'deps');
    mkdirSync(deps);
    writeFileSync(original, 'original');
    linkSync(original, join(deps, 'file'));
    const body = `echo x >>deps/file; rm -rf deps; echo x >new; ${leaves()}`;
    const report = await on.play(body, { order: { frozen: [deps] } });
    expect(report).toEqual({ kind: 'replied', reply: envelope() });
    expect(readFileSync(original, 'utf8')).toBe('original');
    expect(existsSync(join(deps, 'file'))).toBe(true);
    expect(existsSync(join(on.worktree, 'new'))).toBe(true);
  });

  it('is not started with a frozen path outside its worktree', async () => {
    on = stage(SANDBOXED);
    const start = on.play('true', { order: { frozen: [on.folder] } });
    await expect(start).rejects.toMatchObject({ code: 'SANDBOX_ACCESS' });
  });

  it('is held by nothing where there are no walls', async () => {
    on = stage(ATTESTED);
    const order = { readOnly: true, frozen: [on.worktree] };
    const report = await on.play(`echo x >new; ${leaves()}`, { order });
    expect(report).toEqual({ kind: 'replied', reply: envelope() });
    expect(existsSync(join(on.worktree, 'new'))).toBe(true);
  });
});
