import { Composer, type Document, LineCounter, Parser } from 'yaml';
import {
  DEEPEST,
  type FileDocument,
  type FileIssue,
  type FileRefusal,
  refused,
  tooDeep,
} from './file-document.ts';
import { repeatsMore } from './yaml-aliases.ts';
import { isDeeper } from './yaml-depth.ts';
import { yamlIssues } from './yaml-issues.ts';

/** How often anchors may be repeated in all, once everything is written out. */
const ALIASES = 1000;

/**
 * Parses one document of YAML 1.2 with its core types, and nothing that makes data larger or other than it looks:
 * no further tags, no repeated keys, no aliases that multiply.
 */
export function parseYaml(file: string, text: string): FileDocument {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isDeeper(tokens, DEEPEST)) return refused(tooDeep(file));
  const [document, ...more] = new Composer({
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    resolveKnownTags: false,
    // Its own check compares each key with every other one.
    uniqueKeys: false,
  }).compose(tokens);
  if (!document) return refuse(file, 'empty-file', 'the file is empty', 'Write a plan into it.');
  if (more.length > 0) {
    const message = `the file holds ${more.length + 1} documents`;
    return refuse(file, 'several-documents', message, 'Keep one of them.');
  }
  const issues = yamlIssues(document).map(({ offset, ...issue }): FileIssue => {
    const { line, col } = lines.linePos(offset);
    return { ...issue, path: `${file}:${line}:${col}` };
  });
  if (issues.length > 0) return { ok: false, issues };
  return repeatsMore(document, ALIASES)
    ? refuse(file, 'alias-bomb', `aliases repeat more than ${ALIASES} values`, 'Write them out.')
    : resolve(document, file);
}

function resolve(document: Document.Parsed, file: string): FileDocument {
  try {
    // Its own count is of each anchor, and not of all.
    return { ok: true, value: document.toJS({ maxAliasCount: -1 }) };
  } catch (error) {
    // What is left to go wrong is an alias, and the parser throws nothing else for one.
    if (!(error instanceof ReferenceError)) throw error;
    return refuse(file, 'syntax', error.message, 'Set each anchor before the aliases that use it.');
  }
}

const refuse = (path: string, code: FileIssue['code'], message: string, fix: string): FileRefusal =>
  refused({ code, path, message, fix });
