import { join } from 'node:path';

/**
 * A program as a few files: most of the time that a short command took was finding and opening some hundred modules.
 * Unminified, so that a stack trace of a bug can be read. Native code stays outside.
 */
const program = (folder, name, source) => ({
  cwd: join(import.meta.dirname, folder),
  input: { [name]: source },
  platform: 'node',
  external: ['better-sqlite3'],
  output: { dir: 'bundle', cleanDir: true, format: 'esm', chunkFileNames: '[name].js' },
});

export default [
  program('apps/host', 'atelier', 'src/bin.ts'),
  program('tooling/faults', 'host', 'src/host.ts'),
];
