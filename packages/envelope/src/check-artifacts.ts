import { isClosureToken } from './closure.ts';
import { describe } from './describe.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from './json.ts';
import { type ReplyIssue, replyIssue } from './reply-issue.ts';

const VISIBLE = /[^\s\p{Cc}]/u;

/**
 * `artifacts` is a list, non-empty unless the task is held, and each `kind: "ref"` in it carries a hash. An invalid
 * status asks for no particular length. Several bad references make one issue, which names the first.
 */
export function checkArtifacts(envelope: JsonObject): ReplyIssue | undefined {
  const value = ownValue(envelope, 'artifacts');
  if (!Array.isArray(value)) return notAList(value);
  if (value.length === 0) return mustNotBeEmpty(ownValue(envelope, 'status')) ? empty() : undefined;
  return badReference(value);
}

function mustNotBeEmpty(status: JsonValue | undefined): boolean {
  return isClosureToken(status) && status !== 'blocked' && status !== 'needs-input';
}

function notAList(value: JsonValue | undefined): ReplyIssue {
  const code = value === undefined || value === null ? 'missing' : 'not-a-list';
  return replyIssue(
    { code, field: 'artifacts', expected: 'a list', received: describe(value) },
    'set artifacts to a JSON list of what was produced.',
  );
}

function empty(): ReplyIssue {
  return replyIssue(
    { code: 'empty', field: 'artifacts', expected: 'a non-empty list', received: 'an empty list' },
    'list at least one artifact; only blocked and needs-input may list none.',
  );
}

function badReference(artifacts: readonly JsonValue[]): ReplyIssue | undefined {
  const index = artifacts.findIndex(isBadReference);
  if (index === -1) return undefined;
  const artifact = artifacts[index];
  const sha256 = isJsonObject(artifact) ? ownValue(artifact, 'sha256') : undefined;
  return replyIssue(
    {
      code: 'bad-reference',
      field: 'artifacts',
      expected: 'a list whose references carry a non-blank sha256',
      received: `${describe(sha256)} at artifacts[${index}].sha256`,
    },
    `give artifacts[${index}] its sha256 as text, or drop its kind "ref".`,
  );
}

function isBadReference(artifact: JsonValue): boolean {
  if (!isJsonObject(artifact) || ownValue(artifact, 'kind') !== 'ref') return false;
  const sha256 = ownValue(artifact, 'sha256');
  return typeof sha256 !== 'string' || !VISIBLE.test(sha256);
}
