import type { HandIn } from './briefing-input.ts';
import { HAND_IN } from './planning-contract.ts';

/** How a turn ends: with the envelope of every worker, and what is said in it. */
export const meetingContract = (handIn: HandIn): string => `# How you end

End with one JSON object:

{"type":"task_result","task_id":"<task_id>","attempt":<attempt>,"status":"done","artifacts":[{"path":"turn.json"}],"notes_md":"<turn>"}

- Copy \`task_id\` and \`attempt\` from "This turn" below, and \`artifacts\` as it is; write no such file.
- \`notes_md\` is one JSON object as text and nothing else: {"says":"…","stand":"agree","decisions":["…"],"open_points":["…"]}
- \`says\` is what you say to the others, at most 4000 characters; \`stand\` where you stand to the plan: agree, object or abstain.
- \`decisions\` are what you propose to be decided, \`open_points\` what has to be answered by somebody: at most 20 of each, a sentence each. Say those again that still hold; only your last word counts for what is open.

Any other reply, or none, is a turn that you missed. ${HAND_IN[handIn]}`;
