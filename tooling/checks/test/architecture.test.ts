import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORT_TABLE, type ImportRule, LONGEST_FILE, PURE_FOLDERS } from '../src/import-table.ts';
import { readWorkspace, type SourceFile, type WorkspacePackage } from '../src/workspace.ts';

const packages = readWorkspace(join(import.meta.dirname, '../../..'));
const shipped = ({ sources }: WorkspacePackage) => sources.filter(({ isTest }) => !isTest);
const NO_RULE: ImportRule = { may: [], node: 'none' };

describe.each(packages)('$name keeps to the import table', (pkg) => {
  const rule = IMPORT_TABLE[pkg.name] ?? NO_RULE;

  it('has a row', () => {
    expect(Object.keys(IMPORT_TABLE)).toContain(pkg.name);
  });

  it('declares only what its row allows', () => {
    const allowed = [...rule.may, ...(rule.typesOnly ?? []), ...(rule.bundled ?? [])];
    expect(pkg.dependencies.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('imports only what its row allows and its package.json declares', () => {
    const offences = shipped(pkg).flatMap((file) =>
      file.imports
        .filter(({ specifier }) => !specifier.startsWith('.'))
        .flatMap((one) => {
          const refusal = refuse(one, rule, pkg);
          return refusal ? [`${file.path}: ${one.specifier} ${refusal}`] : [];
        }),
    );
    expect(offences).toEqual([]);
  });

  it('stays inside its own folder with relative imports', () => {
    const offences = shipped(pkg).flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => join(path, '..', specifier))
        .filter((target) => !target.startsWith(`${pkg.dir}/`)),
    );
    expect(offences).toEqual([]);
  });
});

describe('every package', () => {
  const files = packages.flatMap(shipped);

  it(`has no source file over ${LONGEST_FILE} lines`, () => {
    const long = files.filter(({ text }) => text.split('\n').length - 1 > LONGEST_FILE);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('has no clock, environment or randomness where results must follow from arguments', () => {
    const impure =
      /\b(Date\.now|performance\.|new Date\(\)|Math\.random|crypto\.|process\.|setTimeout|setImmediate)/;
    const offences = pureFiles(files).filter(({ text }) => impure.test(withoutComments(text)));
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it('names files by what they hold', () => {
    const vague = files.filter(({ path }) =>
      /\/(utils?|helpers?|types|common|misc)\.tsx?$/.test(path),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it('uses barrels only at its doors', () => {
    const barrels = files.filter(
      ({ text, path }) => /^export \* /m.test(text) || /\/lib\/index\.ts$/.test(path),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });
});

describe('the engine', () => {
  it('does not touch the process it runs in', () => {
    const engine = packages.find(({ name }) => name === '@atelier/engine');
    const offences = (engine ? shipped(engine) : []).filter(({ text }) =>
      /\bprocess\./.test(withoutComments(text)),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it('keeps its core free of its shell', () => {
    const core = packages
      .flatMap(shipped)
      .filter(({ path }) => path.startsWith('packages/engine/src/core/'));
    expect(core.length).toBeGreaterThan(10);
    const offences = core.filter(({ imports }) =>
      imports.some(({ specifier }) => /\.\.\/(shell|memory|testing|plan)\//.test(specifier)),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });
});

function refuse(
  { specifier, typeOnly }: SourceFile['imports'][number],
  rule: ImportRule,
  pkg: WorkspacePackage,
): string | undefined {
  if (specifier.startsWith('node:')) {
    if (rule.node === 'any') return undefined;
    return rule.node.includes(specifier) ? undefined : 'is not allowed';
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (rule.typesOnly?.includes(name)) {
    if (!typeOnly) return 'may only be imported as types';
  } else if (!rule.may.includes(name)) return 'is not allowed';
  const declared = pkg.dependencies.includes(name) || pkg.dir.startsWith('tooling/');
  return declared ? undefined : 'is not declared in package.json';
}

const pureFiles = (files: readonly SourceFile[]) =>
  files.filter(({ path }) => PURE_FOLDERS.some((folder) => path.startsWith(folder)));

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
