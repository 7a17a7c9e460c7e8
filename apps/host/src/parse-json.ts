import { DEEPEST, duplicateKey, type FileDocument, refused, tooDeep } from './file-document.ts';
import { scanJson } from './scan-json.ts';

/** Parses JSON. A key that an object has twice is an error: either value might be the one that was meant. */
export function parseJson(file: string, text: string): FileDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no reason given';
    return refused({
      code: 'syntax',
      path: file,
      message: `the file is not valid JSON: ${reason}`,
      fix: 'Correct it at that place.',
    });
  }
  const { duplicates, depth } = scanJson(text);
  if (depth > DEEPEST) return refused(tooDeep(file));
  const issues = duplicates.map(({ key, line, column }) => ({
    ...duplicateKey(key),
    path: `${file}:${line}:${column}`,
  }));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value };
}
