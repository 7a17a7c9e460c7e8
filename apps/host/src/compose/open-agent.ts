import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { HandIn } from '@atelier/briefing';
import {
  type Agent,
  apiProxy,
  claudeAgent,
  codexAgent,
  commandAgent,
  type PermissionMode,
  type WithApiProxyOptions,
  withApiProxy,
} from '@atelier/cli-transport';
import type { Transport } from '@atelier/engine';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';
import { claudeCredential, codexCredential } from './credential.ts';

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
  readonly permissionMode?: PermissionMode;
  /** Renews the login of a subscription. */
  readonly refreshLogin?: readonly string[] | undefined;
  readonly onUsage?: WithApiProxyOptions['onUsage'];
}

/** The agent that a command line names. Throws a {@link UsageError} for any other. */
export async function openAgent(
  choice: AgentChoice,
  environment: Environment,
  surroundings: AgentSurroundings,
): Promise<OpenAgent> {
  const program = /^command:(.+)$/su.exec(choice.agent)?.[1];
  if (program !== undefined) return openCommand(program, choice, environment);
  if (choice.agent === 'claude') return openClaude(environment, surroundings);
  if (choice.agent === 'codex') return openCodex(environment, surroundings);
  throw new UsageError(
    `there is no agent "${choice.agent}"`,
    'Use --agent claude, --agent codex, or --agent command:PROGRAM for a program of your own.',
  );
}

function openCommand(program: string, { agentArgs }: AgentChoice, { cwd }: Environment): OpenAgent {
  // A name is looked up on the PATH; a path is meant as seen from here, not from a worktree.
  const located = program.includes('/') && !isAbsolute(program) ? resolve(cwd, program) : program;
  // An argument that is a file is one that the program is meant to read: a script, a config.
  const read = agentArgs.filter((arg) => isAbsolute(arg) && existsSync(arg));
  return {
    agent: commandAgent({ program: located, args: agentArgs, read }),
    handIn: 'reply-file',
    around: (transport) => transport,
    close: async () => undefined,
  };
}

async function openClaude(
  environment: Environment,
  { sockets, confined, permissionMode, refreshLogin, onUsage }: AgentSurroundings,
): Promise<OpenAgent> {
  const proxy = await apiProxy({
    dialect: 'anthropic',
    socketPath: join(sockets, 'claude', 'api.sock'),
    baseUrl: environment.api.baseUrl,
    credential: claudeCredential(environment, refreshLogin),
  });
  const unconfined = { permissionMode: 'acceptEdits', apiSocketInside: proxy.socketPath } as const;
  return {
    agent: claudeAgent({
      program: 'claude',
      apiSocket: proxy.socketPath,
      ...(confined ? {} : unconfined),
      ...(permissionMode ? { permissionMode } : {}),
    }),
    handIn: 'structured-output',
    around: (transport) => withApiProxy(transport, proxy, onUsage ? { onUsage } : {}),
    close: () => proxy.close(),
  };
}

async function openCodex(
  environment: Environment,
  { sockets, confined, onUsage }: AgentSurroundings,
): Promise<OpenAgent> {
  const proxy = await apiProxy({
    dialect: 'openai',
    socketPath: join(sockets, 'codex', 'api.sock'),
    baseUrl: environment.openai.baseUrl,
    credential: codexCredential(environment),
  });
  const unconfined = { sandboxMode: 'workspace-write', apiSocketInside: proxy.socketPath } as const;
  return {
    agent: codexAgent({
      program: 'codex',
      apiSocket: proxy.socketPath,
      ...(confined ? {} : unconfined),
    }),
    handIn: 'structured-output',
    around: (transport) => withApiProxy(transport, proxy, onUsage ? { onUsage } : {}),
    close: () => proxy.close(),
  };
}
