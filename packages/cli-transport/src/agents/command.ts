import type { Agent } from '../agent.ts';
import { findProgram } from '../find-program.ts';
import { commandReport } from './command-report.ts';
import { foundReply } from './found-reply.ts';

export interface CommandAgentOptions {
  /** A name that is looked up on the host's PATH, or a path. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Absolute paths that the program reads beside its own files: a script or a config among its arguments. */
  readonly read?: readonly string[];
}

/**
 * Any program as an agent: the briefing on its standard input, its envelope in the file that
 * `ATELIER_REPLY_FILE` names, or as a line of its standard output. Its preflight rejects with
 * `PROGRAM_NOT_FOUND`.
 */
export function commandAgent({ program, args = [], read = [] }: CommandAgentOptions): Agent {
  return {
    name: 'command',
    async preflight() {
      findProgram(program);
    },
    call: ({ briefing }) => ({ program, args, read, env: {}, stdin: briefing }),
    replyIn(output, order) {
      const found = foundReply(output, order);
      return found.kind === 'reply' ? found.reply : undefined;
    },
    report: commandReport,
  };
}
