import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';

/**
 * Sets one key of the user's config, or takes it out; comments and all else stay as they are. The file must be one that
 * `readConfig` takes. Written beside and renamed, so that no reader sees half of it.
 */
export function writeConfig(path: string, key: string, value: string | undefined): void {
  const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '');
  if (value === undefined) document.delete(key);
  else document.set(key, value);
  const text = document.contents === null ? '' : document.toString();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, text, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}
