import type { Agent } from '../../agent.ts';
import { fixedArguments } from './arguments.ts';
import { environmentOf } from './environment.ts';
import { type ClaudeOptions, checkOptions } from './options.ts';
import { checkProgram } from './preflight.ts';
import { reportOf } from './report.ts';
import { readResult, replyOf } from './result-record.ts';
import { sessionId } from './session-id.ts';

/**
 * Claude Code in print mode: the briefing on standard input, one JSON record at the end, the reply from the record's
 * structured output and from nowhere else. Throws a coded error for options that can not be meant.
 */
export function claudeAgent(options: ClaudeOptions): Agent {
  const settings = checkOptions(options);
  const args = fixedArguments(settings);
  const env = environmentOf(settings);
  const { program, apiSocket, apiSocketInside } = settings;
  return {
    name: 'claude',
    preflight: () => checkProgram(settings),
    call: (order) => ({
      program,
      args: [...args, '--session-id', sessionId(order)],
      env,
      stdin: order.briefing,
      ...(apiSocket === undefined
        ? {}
        : { sockets: [{ outside: apiSocket, inside: apiSocketInside }] }),
    }),
    replyIn({ stdout }) {
      const reading = readResult(stdout);
      return reading.kind === 'one' ? replyOf(reading.record) : undefined;
    },
    report: (exit) => reportOf(exit, Date.now()),
  };
}
