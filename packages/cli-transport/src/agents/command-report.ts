import type { AttemptReport, WorkOrder } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentExit } from '../agent.ts';
import { foundReply } from './found-reply.ts';

/**
 * A reply counts when the program ended well, or when it was ended after its reply was complete. Any other
 * end is a failure that keeps the reply.
 */
export function commandReport(exit: AgentExit, order: WorkOrder): AttemptReport {
  const found = foundReply(exit, order);
  const endedWell = exit.endedAfterReply || exit.exitCode === 0;
  if (endedWell && found.kind === 'reply') return { kind: 'replied', reply: found.reply };
  if (endedWell && found.kind === 'none')
    return { kind: 'failed', cause: 'no-reply', detail: withLastWords(found.detail, exit) };
  const how = exit.signal === undefined ? `exit code ${exit.exitCode}` : `ended by ${exit.signal}`;
  return {
    kind: 'failed',
    cause: 'exit',
    detail: withLastWords(how, exit),
    ...(exit.exitCode === undefined ? {} : { exitCode: exit.exitCode }),
    ...(found.kind === 'reply' ? { reply: found.reply } : {}),
  };
}

/** The last line of standard error usually says why. */
function withLastWords(what: string, { stderr }: AgentExit): string {
  const last = stderr.split(/[\r\n]+/).findLast((line) => line.trim() !== '');
  return last === undefined ? what : `${what}; it last said: ${printable(last)}`;
}
