import { dirname } from 'node:path';
import type { Agent, AgentCall } from '../../agent.ts';
import { attemptToken } from '../../api-proxy/attempt-token.ts';
import { callFilePath } from '../../call-file.ts';
import { DIRECT_LOOPBACK } from '../../egress/environment.ts';
import { argumentsOf, KEY_VARIABLE } from './arguments.ts';
import { bridgePort } from './bridge-port.ts';
import { eventReader } from './event-reader.ts';
import { type CodexOptions, type CodexSettings, checkModel, checkOptions } from './options.ts';
import { checkProgram } from './preflight.ts';
import { strictReplySchema } from './reply-schema.ts';
import { reportOf } from './report.ts';
import { readTurn, replyOf } from './turn.ts';

const SCHEMA_FILE = 'schema.json';

/**
 * Codex without a person: the briefing on standard input, events while it works, the reply from the agent's last message
 * and from nowhere else. Throws a coded error for options that can not be meant.
 */
export function codexAgent(options: CodexOptions): Agent {
  const settings = checkOptions(options);
  const schema = JSON.stringify(strictReplySchema());
  const { program, apiKey, apiSocketInside: socket } = settings;
  const access = { sockets: socketsOf(settings), files: [{ name: SCHEMA_FILE, text: schema }] };
  return {
    name: 'codex',
    needsBridge: true,
    needsWalls: settings.sandboxMode === 'danger-full-access',
    preflight: () => checkProgram(settings),
    call(order, place) {
      const port = bridgePort(order.nonce);
      const { model = settings.model } = order.terms ?? {};
      return {
        program,
        args: argumentsOf(settings, {
          ...{ port, schemaFile: callFilePath(place, SCHEMA_FILE) },
          model: model === undefined ? undefined : checkModel(model),
        }),
        env: { ...DIRECT_LOOPBACK, [KEY_VARIABLE]: apiKey ?? attemptToken(order.nonce) },
        stdin: order.briefing,
        bridges: [{ port, socket }],
        ...access,
      };
    },
    follow: eventReader,
    replyIn: ({ stdout }) => replyOf(readTurn(stdout)),
    report: (exit) => reportOf(exit, Date.now()),
  };
}

/** Of a proxy the folder: a socket that a later host makes there would not be seen through one that was bound itself. */
const socketsOf = ({
  apiKey,
  apiSocket,
  apiSocketInside,
}: CodexSettings): NonNullable<AgentCall['sockets']> => [
  apiKey === undefined
    ? { outside: dirname(apiSocket), inside: dirname(apiSocketInside) }
    : { outside: apiSocket, inside: apiSocketInside },
];
