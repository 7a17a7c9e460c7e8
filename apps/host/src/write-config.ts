import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';

/**
 * Sets one key of the user's config, or takes it out; comments and all else stay as they are. The file must be one that
 * `readConfig` takes. Written beside and renamed, so that no reader sees half of it; a link stays one.
 */
export function writeConfig(path: string, key: string, value: string | undefined): void {
  const file = existsSync(path) ? realpathSync(path) : path;
  const document = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
  if (value === undefined) {
    // Of a file without a single key there is nothing to take.
    if (document.contents === null || !document.delete(key)) return;
  } else document.set(key, value);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, document.toString(), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}
