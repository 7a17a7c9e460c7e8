import { createRequire } from 'node:module';

/** Of this program. */
export function version(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)('../package.json');
  return manifest.version;
}
