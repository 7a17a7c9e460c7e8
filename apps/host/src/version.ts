import { createRequire } from 'node:module';
import { PACKAGE_ROOT } from './package-root.ts';

/** Of this program. */
export function version(): string {
  const manifest: { readonly version: string } = createRequire(PACKAGE_ROOT)('./package.json');
  return manifest.version;
}
