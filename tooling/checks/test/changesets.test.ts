import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readWorkspace } from '../src/workspace.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.changeset');
const names = readWorkspace(root).map(({ name }) => name);

it.each(readdirSync(folder).filter((name) => /^[^R].*\.md$/u.test(name)))(
  'the change note %s names a package and says something of it',
  (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const [, name, note] =
      /^---\n"(@atelier\/[a-z-]+)": (?:major|minor|patch)\n---\n\n(\S.*)$/su.exec(text) ?? [];
    expect(names).toContain(name);
    expect(note?.trim()).toBeTruthy();
  },
);
