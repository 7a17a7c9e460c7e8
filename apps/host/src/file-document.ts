/** Why a file is no document. The texts may quote the file: they are not safe for a terminal as they are. */
export interface FileIssue {
  readonly code:
    | 'unreadable-file'
    | 'too-large'
    | 'not-utf8'
    | 'syntax'
    | 'duplicate-key'
    | 'empty-file'
    | 'several-documents'
    | 'unsupported-yaml'
    | 'alias-bomb'
    | 'too-deep';
  /** The file, with line and column where they are known. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

/** Why there is no document. */
export interface FileRefusal {
  readonly ok: false;
  readonly issues: readonly FileIssue[];
}

/** What a file holds, or all that kept it from being read. */
export type FileDocument = { readonly ok: true; readonly value: unknown } | FileRefusal;

/** A refusal for a single reason. */
export const refused = (issue: FileIssue): FileRefusal => ({ ok: false, issues: [issue] });

export const duplicateKey = (key: string): Omit<FileIssue, 'path'> => ({
  code: 'duplicate-key',
  message: `the key "${key}" is there twice in one object`,
  fix: 'Remove one of the two.',
});

/** Lists and objects within each other. What reads, checks or stores a value later on may recurse into it. */
export const DEEPEST = 100;

export const tooDeep = (path: string): FileIssue => ({
  code: 'too-deep',
  path,
  message: `the file is nested more than ${DEEPEST} levels deep`,
  fix: 'Flatten it.',
});
