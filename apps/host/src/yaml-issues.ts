import { type Document, isScalar, visit } from 'yaml';
import { duplicateKey, type FileIssue } from './file-document.ts';

/** An issue whose place is a count of characters from the start. */
export type YamlIssue = Omit<FileIssue, 'path'> & { readonly offset: number };

/** What makes a parsed document unfit, in order of appearance. */
export function yamlIssues(document: Document): YamlIssue[] {
  return [
    ...versionIssues(document),
    ...document.errors.map(({ code, message, pos }): YamlIssue => {
      if (code === 'NON_STRING_KEY')
        return unsupported('a key is not a text', 'Write it as plain text, without ?.', pos[0]);
      return { code: 'syntax', message, fix: 'Correct the YAML at that place.', offset: pos[0] };
    }),
    // A tag that the core types do not have is only a warning to the parser.
    ...document.warnings.map(({ message, pos }) =>
      unsupported(message, 'Remove the tag; plans hold plain values.', pos[0]),
    ),
    ...structureIssues(document),
  ].sort((a, b) => a.offset - b.offset);
}

function versionIssues(document: Document): YamlIssue[] {
  const version = document.directives?.yaml.version ?? '1.2';
  return version === '1.2'
    ? []
    : [unsupported(`the file asks for YAML ${version}`, 'Remove the %YAML line.', 0)];
}

/** Repeated keys, and aliases of something they are part of. */
function structureIssues(document: Document): YamlIssue[] {
  const issues: YamlIssue[] = [];
  visit(document, {
    Map(_, map) {
      const known = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (known.has(name)) issues.push({ ...duplicateKey(name), offset: key.range?.[0] ?? 0 });
        known.add(name);
      }
    },
    Alias(_, alias, path) {
      const around = path.some((node) => 'anchor' in node && node.anchor === alias.source);
      if (around) {
        const message = `the alias *${alias.source} is inside what it stands for`;
        issues.push(unsupported(message, 'Write the value out.', alias.range?.[0] ?? 0));
      }
    },
  });
  return issues;
}

const unsupported = (message: string, fix: string, offset: number): YamlIssue => ({
  code: 'unsupported-yaml',
  message,
  fix,
  offset,
});
