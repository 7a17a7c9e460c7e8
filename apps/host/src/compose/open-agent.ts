import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { HandIn } from '@atelier/briefing';
import {
  type Agent,
  apiProxy,
  commandAgent,
  type PermissionMode,
  type WithApiProxyOptions,
  withApiProxy,
} from '@atelier/cli-transport';
import type { Transport } from '@atelier/engine';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';
import { knownAgent, programIn } from './agents.ts';

/** An agent that is ready for a run, and what it was given that must be closed after it. */
export interface OpenAgent {
  readonly agent: Agent;
  readonly handIn: HandIn;
  /** What its workers need around the transport. */
  readonly around: (transport: Transport) => Transport;
  close(): Promise<void>;
}

export interface AgentChoice {
  /** `claude`, `codex`, or `command:PROGRAM`. */
  readonly agent: string;
  /** Arguments of a `command` agent. */
  readonly agentArgs: readonly string[];
}

interface AgentSurroundings {
  /** A private folder with a short name, the same for every host of the run. */
  readonly sockets: string;
  /** Whether walls stand around the agent; without them it has to hold itself back. */
  readonly confined: boolean;
  readonly permissionMode?: PermissionMode | undefined;
  /** Renews the login of a subscription. */
  readonly refreshLogin?: readonly string[] | undefined;
  /** Tokens of workers that may be calling from before this host. */
  readonly expected?: readonly string[];
  readonly onUsage?: WithApiProxyOptions['onUsage'];
}

/** The agent that a command line names. Throws a {@link UsageError} for any other. */
export async function openAgent(
  choice: AgentChoice,
  environment: Environment,
  { sockets, confined, permissionMode, refreshLogin, expected, onUsage }: AgentSurroundings,
): Promise<OpenAgent> {
  const own = programIn(choice.agent);
  if (own !== undefined) return opened(commandOf(own, choice, environment));
  const known = knownAgent(choice.agent);
  if (!known)
    throw new UsageError(
      `there is no agent "${choice.agent}"`,
      'Use --agent claude, --agent codex, or --agent command:PROGRAM for a program of your own.',
    );
  const { program, dialect } = known;
  const proxy = await apiProxy({
    dialect,
    socketPath: join(sockets, choice.agent, 'api.sock'),
    baseUrl: known.baseUrl(environment),
    credential: known.credential(environment, refreshLogin),
    ...(expected ? { expected } : {}),
  });
  return {
    agent: known.agentOf({ program, apiSocket: proxy.socketPath, confined, permissionMode }),
    handIn: 'structured-output',
    around: (transport) => withApiProxy(transport, proxy, onUsage ? { onUsage } : {}),
    close: () => proxy.close(),
  };
}

/** An agent that needs nothing around it. */
export const opened = (agent: Agent): OpenAgent => ({
  ...{ agent, handIn: 'reply-file' },
  around: (transport) => transport,
  close: async () => undefined,
});

function commandOf(program: string, { agentArgs }: AgentChoice, { cwd }: Environment): Agent {
  // A name is looked up on the PATH; a path is meant as seen from here, not from a worktree.
  const located = program.includes('/') && !isAbsolute(program) ? resolve(cwd, program) : program;
  // An argument that is a file is one that the program is meant to read: a script, a config.
  const read = agentArgs.filter((arg) => isAbsolute(arg) && existsSync(arg));
  return commandAgent({ program: located, args: agentArgs, read });
}
