import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One workspace package: where it is, what it declares, what its shipped source says. */
export interface WorkspacePackage {
  readonly name: string;
  readonly dir: string;
  readonly dependencies: readonly string[];
  readonly sources: readonly SourceFile[];
}

/** A TypeScript file, tests included, with the specifiers it imports. */
export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[];
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?(?:[\w$*{}\s,]+?\sfrom\s+)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/gm;

/** Reads every package below `packages`, `apps` and `tooling`. */
export function readWorkspace(root: string): WorkspacePackage[] {
  return ['packages', 'apps', 'tooling'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && hasManifest(root, group, entry.name))
      .map((entry) => readPackage(root, `${group}/${entry.name}`)),
  );
}

const hasManifest = (root: string, group: string, name: string): boolean =>
  readdirSync(join(root, group, name)).includes('package.json');

function readPackage(root: string, dir: string): WorkspacePackage {
  const manifest = JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')) as {
    name: string;
    dependencies?: Record<string, string>;
  };
  return {
    name: manifest.name,
    dir,
    dependencies: Object.keys(manifest.dependencies ?? {}),
    sources: typescriptFiles(root, dir).map((path) => readSource(root, path)),
  };
}

function typescriptFiles(root: string, dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    // What begins with a dot is no source: another test compiles examples in such a folder meanwhile.
    if (['node_modules', 'dist'].includes(entry.name) || entry.name.startsWith('.')) return [];
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) return typescriptFiles(root, path);
    return /\.(ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
  return { path, text, isTest: /\.test\.tsx?$/.test(path) || path.includes('/test/'), imports };
}
