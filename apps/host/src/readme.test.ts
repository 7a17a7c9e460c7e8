import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from './main.ts';

const ROOT = join(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'apps/host/README.md'), 'utf8');
const FRONT = readFileSync(join(ROOT, 'README.md'), 'utf8');

async function helpOf(...args: string[]): Promise<string> {
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const code = await main([...args, '--help'], { stdout: { write }, stderr: { write } }, AROUND);
  return code === 0 ? said : '';
}

const AROUND = { env: {}, cwd: ROOT };

const all = (pattern: RegExp, text: string) =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort();

const overview = await helpOf();
const commands = all(/^ {2}([a-z-]+) {2,}\S/gmu, overview);
const helps = new Map<string, string>();
for (const name of commands) {
  const text = await helpOf(name);
  helps.set(name, text);
  for (const sub of all(new RegExp(`(?:^ {2}|atelier ${name} )([a-z]+)\\b`, 'gmu'), text))
    helps.set(`${name} ${sub}`, await helpOf(name, sub));
}
helps.set('plan --from', await helpOf('plan', '--from', 'GOAL'));
helps.set('plan --approve', await helpOf('plan', '--approve', 'FILE'));
const options = all(/(?<![\w-])(--[a-z][a-z-]+)/gu, [...helps.values(), overview].join('\n'));

it('names every command that exists, and none that does not', () => {
  expect(commands.length).toBeGreaterThan(20);
  const table = all(/^\| `atelier ([a-z-]+)/gmu, README);
  expect(table).toEqual(commands);
  for (const text of [README, FRONT])
    expect(
      all(/(?:^|`)atelier ([a-z][a-z-]*)/gmu, text).filter((one) => !commands.includes(one)),
    ).toEqual([]);
});

it('names every option that exists, and none that does not', () => {
  const named = all(/(?<![\w-])(--[a-z][a-z-]+)/gu, README);
  expect(options.filter((one) => !named.includes(one))).toEqual([]);
  expect(named.filter((one) => !options.includes(one))).toEqual([]);
});

it('names every variable of the environment that is read, and none that is not', () => {
  const sources = ['apps/host/src', 'packages/loom-comms/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const text = sources.join('\n');
  const read = all(/(?:env\[|= )'((?:ATELIER|LOOM|ANTHROPIC|OPENAI|CLAUDE|XDG)_[A-Z_]+)'/gu, text);
  const named = all(/`((?:ATELIER|LOOM|ANTHROPIC|OPENAI|CLAUDE|XDG)_[A-Z_]+)[`=]/gu, README);
  expect(read.length).toBeGreaterThan(15);
  expect(read.filter((one) => !README.includes(one))).toEqual([]);
  expect(named.filter((one) => !read.includes(one))).toEqual([]);
});
