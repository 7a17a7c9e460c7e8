import { dirname } from 'node:path';
import type { Agent, AgentCall } from '../../agent.ts';
import { fixedArguments } from './arguments.ts';
import { environmentOf } from './environment.ts';
import { eventReader } from './event-reader.ts';
import { type ClaudeOptions, type ClaudeSettings, checkModel, checkOptions } from './options.ts';
import { checkProgram } from './preflight.ts';
import { reportOf } from './report.ts';
import { readResult, replyOf } from './result-record.ts';
import { sessionId } from './session-id.ts';

/**
 * Claude Code in print mode: the briefing on standard input, events while it works, one record at the end, the reply from
 * the record's structured output and from nowhere else. Throws a coded error for options that can not be meant.
 */
export function claudeAgent(options: ClaudeOptions): Agent {
  const settings = checkOptions(options);
  const args = fixedArguments(settings);
  const sockets = socketsOf(settings);
  return {
    name: 'claude',
    needsWalls: settings.permissionMode === 'bypassPermissions',
    preflight: () => checkProgram(settings),
    call(order) {
      const model = checkModel(order.terms?.model ?? settings.model);
      return {
        program: settings.program,
        args: [...args, '--model', model, '--session-id', sessionId(order)],
        env: environmentOf(settings, order.nonce),
        stdin: order.briefing,
        ...sockets,
      };
    },
    follow: eventReader,
    replyIn({ stdout }) {
      const reading = readResult(stdout);
      return reading.kind === 'one' ? replyOf(reading.record) : undefined;
    },
    report: (exit) => reportOf(exit, Date.now()),
  };
}

/** Of a proxy the folder: a socket that a later host makes there would not be seen through one that was bound itself. */
function socketsOf({
  apiKey,
  apiSocket,
  apiSocketInside,
}: ClaudeSettings): Pick<AgentCall, 'sockets'> {
  if (apiSocket === undefined) return {};
  if (apiKey !== undefined) return { sockets: [{ outside: apiSocket, inside: apiSocketInside }] };
  return { sockets: [{ outside: dirname(apiSocket), inside: dirname(apiSocketInside) }] };
}
