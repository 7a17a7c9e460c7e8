import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { HandIn } from '@atelier/briefing';
import {
  type Agent,
  apiForwarder,
  claudeAgent,
  commandAgent,
  type PermissionMode,
} from '@atelier/cli-transport';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';

/** An agent that is ready for a run, and what it was given that must be closed after it. */
export interface OpenAgent {
  readonly agent: Agent;
  readonly handIn: HandIn;
  close(): Promise<void>;
}

export interface AgentChoice {
  /** `claude`, or `command:PROGRAM`. */
  readonly agent: string;
  /** Arguments of a `command` agent. */
  readonly agentArgs: readonly string[];
}

interface AgentSurroundings {
  /** A private folder with a short name. */
  readonly sockets: string;
  /** Whether walls stand around the agent; without them it has to hold itself back. */
  readonly confined: boolean;
  readonly permissionMode?: PermissionMode;
}

/** The agent that a command line names. Throws a {@link UsageError} for any other. */
export async function openAgent(
  { agent: name, agentArgs }: AgentChoice,
  { cwd, api }: Environment,
  { sockets, confined, permissionMode }: AgentSurroundings,
): Promise<OpenAgent> {
  const program = /^command:(.+)$/su.exec(name)?.[1];
  if (program !== undefined) {
    // A name is looked up on the PATH; a path is meant as seen from here, not from a worktree.
    const located = program.includes('/') && !isAbsolute(program) ? resolve(cwd, program) : program;
    // An argument that is a file is one that the program is meant to read: a script, a config.
    const read = agentArgs.filter((arg) => isAbsolute(arg) && existsSync(arg));
    const agent = commandAgent({ program: located, args: agentArgs, read });
    return { agent, handIn: 'reply-file', close: async () => undefined };
  }
  if (name !== 'claude')
    throw new UsageError(
      `there is no agent "${name}"`,
      'Use --agent claude, or --agent command:PROGRAM for a program of your own.',
    );
  if (!api.key)
    throw new UsageError(
      'the claude agent needs ANTHROPIC_API_KEY',
      'Set it to a key of the model API that ANTHROPIC_BASE_URL names.',
    );
  const token = randomUUID();
  const forwarder = await apiForwarder({
    credential: { token, key: api.key },
    socketPath: join(sockets, 'api.sock'),
    baseUrl: api.baseUrl,
  });
  const unconfined = {
    permissionMode: 'acceptEdits',
    apiSocketInside: forwarder.socketPath,
  } as const;
  return {
    agent: claudeAgent({
      program: 'claude',
      apiKey: token,
      apiSocket: forwarder.socketPath,
      ...(confined ? {} : unconfined),
      ...(permissionMode ? { permissionMode } : {}),
    }),
    handIn: 'structured-output',
    close: () => forwarder.close(),
  };
}

/** The agent, allowed to read further paths. */
export const withReads = (agent: Agent, paths: readonly string[]): Agent => ({
  ...agent,
  call(order, place) {
    const call = agent.call(order, place);
    return { ...call, read: [...(call.read ?? []), ...paths] };
  },
});
