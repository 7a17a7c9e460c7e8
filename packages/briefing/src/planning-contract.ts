import type { HandIn } from './briefing-input.ts';

/** How an agent hands its reply in. */
export const HAND_IN: Readonly<Record<HandIn, string>> = {
  'reply-file':
    'As your last act, write the object to a new file beside the one that $ATELIER_REPLY_FILE names, then rename it to that. If you can not write there, print it as one line; nothing else you print is read.',
  'structured-output':
    'As your last act, hand the object in as your structured output, once. Prose is not read.',
};

/** How a planner ends: with the envelope of every worker, and the plan in it. */
export const planningContract = (handIn: HandIn): string => `# How you end

End with one JSON object:

{"type":"task_result","task_id":"<task_id>","attempt":<attempt>,"status":"done","artifacts":[{"path":"plan.json"}],"notes_md":"<plan>"}

- Copy \`task_id\` and \`attempt\` from "This attempt" below, and \`artifacts\` as it is; write no such file.
- \`notes_md\` is the plan as JSON text and nothing else, at most 1 MiB. It may be as long as it has to be.
- If there is no plan to propose: \`"status":"needs-input"\` with one clear question in \`notes_md\`, or \`"status":"blocked"\` with what is in the way, and \`"artifacts":[]\`.

Any other reply, or none, ends the planning. ${HAND_IN[handIn]}`;
