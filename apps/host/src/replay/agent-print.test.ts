import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { agentPrint } from './agent-print.ts';

const printOf = (agent: string, cwd = '/', ...agentArgs: readonly string[]) =>
  JSON.stringify(agentPrint({ agent, agentArgs }, cwd));

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-agent-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
});

const program = (name: string, body: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });

describe.each(['claude', 'codex'])('%s', (agent) => {
  const behindADoor = () => {
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    writeFileSync(join(folder, 'version'), '2.1.400');
    program(agent, `[ "$1" = --version ] && cat ${folder}/version`);
  };

  test('another version behind the same program is another agent; the same is the same', () => {
    behindADoor();
    const before = printOf(agent);
    expect(before).toContain('2.1.400');
    expect(printOf(agent)).toBe(before);
    writeFileSync(join(folder, 'version'), '2.1.401');
    expect(printOf(agent)).not.toBe(before);
  });

  test('one that does not tell is never the same twice', () => {
    behindADoor();
    program(agent, 'exit 3');
    expect(printOf(agent)).not.toBe(printOf(agent));
    rmSync(join(folder, agent));
    vi.stubEnv('PATH', folder);
    expect(printOf(agent)).not.toBe(printOf(agent));
  });
});

describe('a program of the user’s', () => {
  test('counts by its content and is not run', () => {
    program('mine', `touch ${folder}/was-run`);
    const before = printOf('command:./mine', folder);
    expect(printOf('command:./mine', folder)).toBe(before);
    program('mine', `touch ${folder}/was-run # changed`);
    expect(printOf('command:./mine', folder)).not.toBe(before);
    expect(existsSync(join(folder, 'was-run'))).toBe(false);
  });

  test('counts with the files among its arguments; a folder among them may hold anything', () => {
    program('mine', '');
    const script = join(folder, 'script');
    writeFileSync(script, 'one');
    const print = (...args: string[]) => printOf('command:./mine', folder, ...args);
    const before = print(script);
    expect(print(script)).toBe(before);
    writeFileSync(script, 'two');
    expect(print(script)).not.toBe(before);
    mkdirSync(join(folder, 'inside'));
    expect(print(join(folder, 'inside'))).not.toBe(print(join(folder, 'inside')));
  });
});
