import { type FileDocument, refused } from './file-document.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { readText } from './read-text.ts';

/** A YAML parser needs about two hundred bytes of memory for each of the text, and a second for each megabyte. */
const LARGEST_YAML = 16 * 1024 * 1024;

/** Reads a plan in JSON or YAML. Never rejects: whatever is wrong with the file is in the answer. */
export async function readPlanFile(file: string): Promise<FileDocument> {
  const read = await readText(file);
  if (!read.ok) return read;
  const { text } = read;
  const named = file.toLowerCase().endsWith('.json');
  if (named || /^\s*[[{]/u.test(text)) {
    const json = parseJson(file, text);
    // YAML in flow style begins like JSON, so only the name makes a syntax error one of JSON.
    if (named || json.ok || json.issues.some(({ code }) => code !== 'syntax')) return json;
  }
  if (text.length > LARGEST_YAML) {
    return refused({
      code: 'too-large',
      path: file,
      message: 'YAML is read up to 16 MiB',
      fix: 'Write a plan of this size as JSON.',
    });
  }
  return parseYaml(file, text);
}
