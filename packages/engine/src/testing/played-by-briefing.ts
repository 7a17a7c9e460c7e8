import type { ScriptedWorker, WorkerScript } from '../memory/scripted-transport.ts';
import type { AttemptReport } from '../shell/transport.ts';
import { partOf, replyOf } from './part.ts';

const LATER_MS = 1_000;

const failed = (cause: 'exit' | 'no-reply', detail: string): ScriptedWorker => ({
  report: { kind: 'failed', cause, detail },
});

/** Has a `scriptedTransport` play the parts of the kits: enough to put a journal through the system suite. */
export const playedByBriefing: WorkerScript = ({ briefing, nonce }) => {
  const part = partOf(briefing);
  const reply = replyOf(part);
  const replied: AttemptReport = { kind: 'replied', reply };
  switch (part.behaviour) {
    case 'reply':
    case 'garbage':
      return { report: replied };
    case 'reply-later':
      return { report: replied, afterMs: LATER_MS };
    case 'echo-nonce':
      return { report: { kind: 'replied', reply: { ...Object(reply), nonce } } };
    case 'reply-then-hang':
      return { peek: reply };
    case 'crash':
      return failed('exit', 'it crashed');
    case 'exit-without-reply':
      return failed('no-reply', 'it said nothing');
    case 'hang':
    case 'chatter':
      return {};
    case 'refuse':
      throw new Error('no worker to be had');
  }
};
