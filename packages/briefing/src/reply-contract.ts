import {
  ABANDON_CATEGORIES,
  type AbandonCategory,
  CLOSURE_TOKENS,
  type ClosureToken,
  type Reply,
  TERMINAL_ONLY,
} from '@atelier/envelope';
import type { HandIn } from './briefing-input.ts';

const TYPE: Reply['type'] = 'task_result';

const STATUS_MEANING: Readonly<Record<ClosureToken, string>> = {
  done: 'all that the task asks for is in the files, and you have checked it',
  blocked: 'something outside the task must change first; the notes say what',
  abandoned: 'no further attempt can succeed; this is final',
  'needs-input': 'only a person can decide; the notes ask one clear question',
};

const CATEGORY_MEANING: Readonly<Record<AbandonCategory, string>> = {
  scope: 'not possible within what you may write',
  blocked: 'something it needs does not exist in this run',
  conflict: 'what is asked contradicts itself',
  capacity: 'too large for one attempt',
  stale_rules: 'these rules are older than the task needs',
  no_consensus: 'a plan that it depends on was never agreed',
  destructive_rejected: 'the only way destroys something, and a person refused that',
  tests_unrecoverable: 'no way from here makes the tests pass',
};

const HAND_IN: Readonly<Record<HandIn, string>> = {
  'reply-file':
    'As your last act, write the object to a new file beside the one that $ATELIER_REPLY_FILE names, then rename it to that. It may carry `nonce`, the value of $ATELIER_NONCE. If you can not write there, print it as one line; nothing else you print is read.',
  'structured-output':
    'As your last act, hand the object in as your structured output, once. Prose is not read.',
};

const bullets = <Word extends string>(
  words: readonly Word[],
  meaning: Readonly<Record<Word, string>>,
): string => words.map((word) => `  - ${word}: ${meaning[word]}.`).join('\n');

/** What a reply is, as the envelope judges it, and how it is handed in. */
export const replyContract = (handIn: HandIn): string => `# How you end

End with one JSON object:

{"type":"${TYPE}","task_id":"<task_id>","attempt":<attempt>,"status":"<status>","artifacts":[{"path":"<path>"}],"notes_md":"<notes>"}

- Copy \`task_id\` from "Your task" and \`attempt\` from "This attempt" below, unchanged.
- \`status\` is one of:
${bullets(CLOSURE_TOKENS, STATUS_MEANING)}
- \`artifacts\` lists what you made. With ${TERMINAL_ONLY.join(' or ')} it must not be empty. An abandoned reply, too, must list at least one artifact, for example a file of what you found; without one it is refused and the attempt lost.
- \`notes_md\` tells people what you did, checked and left open, in at most 2000 characters. With abandoned its first line is \`ABANDON: <category>:<reason>\`, the reason 1 to 200 characters, the category one of:
${bullets(ABANDON_CATEGORIES, CATEGORY_MEANING)}

Any other reply, or none, is a failed attempt. ${HAND_IN[handIn]}`;
