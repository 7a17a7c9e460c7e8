import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkspace } from '../src/workspace.ts';

const root = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

const HEADINGS = ['Features', 'Installation', 'Usage', 'Related', 'License'];

const libraries = readWorkspace(root).filter(({ dir }) => dir.startsWith('packages/'));

const readmeOf = (dir: string) => {
  const path = join(root, dir, 'README.md');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

describe.each(libraries)('the README of $name', ({ name, dir }) => {
  const readme = readmeOf(dir);
  const example = /```ts\n(.*?)```/su.exec(readme)?.[1] ?? '';

  it('has the headings that every package has, in their order', () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.filter((heading) => HEADINGS.includes(heading ?? ''))).toEqual(HEADINGS);
  });

  it('begins with an example that compiles, runs and proves something', () => {
    expect(example).toContain(`from '${name}`);
    expect(example.match(/^assert/gm)?.length ?? 0).toBeGreaterThan(1);
    // Inside the package its own name resolves to what it publishes.
    const folder = mkdtempSync(join(root, dir, '.readme-'));
    try {
      writeFileSync(join(folder, 'example.ts'), example);
      const config = {
        extends: '../../../tsconfig.test.json',
        compilerOptions: {
          noEmit: false,
          rootDir: '.',
          outDir: '.',
          allowImportingTsExtensions: false,
        },
        include: ['example.ts'],
        exclude: [],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      execFileSync(process.execPath, [join(folder, 'example.js')], { encoding: 'utf8' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
