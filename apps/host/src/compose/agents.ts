import { MODELS, type Tier } from '@atelier/budget';
import {
  type Agent,
  type ApiCredential,
  claudeAgent,
  codexAgent,
  type DialectName,
  type PermissionMode,
} from '@atelier/cli-transport';
import type { Environment } from '../environment.ts';
import { claudeCredential, codexCredential } from './credential.ts';

/** Where an agent of ours is called. */
interface AgentPlace {
  readonly program: string;
  /** The host's socket to the model API. */
  readonly apiSocket: string;
  /** Whether walls stand around it; without them it has to hold itself back. */
  readonly confined: boolean;
  readonly permissionMode?: PermissionMode | undefined;
}

/** All that the host knows of an agent which it calls through its own proxy. */
interface KnownAgent {
  readonly program: string;
  /** How its model API is spoken. */
  readonly dialect: DialectName;
  readonly baseUrl: (environment: Environment) => string;
  /** What pays for it. Throws a `UsageError` where there is nothing. */
  readonly credential: (environment: Environment, refresh?: readonly string[]) => ApiCredential;
  readonly agentOf: (place: AgentPlace) => Agent;
  /** The models that the tiers stand for. Absent: it has none, and chooses for itself. */
  readonly models?: Readonly<Record<Tier, string>>;
}

const AGENTS: ReadonlyMap<string, KnownAgent> = new Map<string, KnownAgent>([
  [
    'claude',
    {
      program: 'claude',
      dialect: 'anthropic',
      baseUrl: ({ api }) => api.baseUrl,
      credential: claudeCredential,
      agentOf: ({ program, apiSocket, confined, permissionMode }) =>
        claudeAgent({
          ...{ program, apiSocket },
          ...(confined ? {} : { permissionMode: 'acceptEdits', apiSocketInside: apiSocket }),
          ...(permissionMode ? { permissionMode } : {}),
        }),
      models: MODELS,
    },
  ],
  [
    'codex',
    {
      program: 'codex',
      dialect: 'openai',
      baseUrl: ({ openai }) => openai.baseUrl,
      credential: codexCredential,
      agentOf: ({ program, apiSocket, confined }) =>
        codexAgent({
          ...{ program, apiSocket },
          ...(confined ? {} : { sandboxMode: 'workspace-write', apiSocketInside: apiSocket }),
        }),
    },
  ],
]);

/** The agent of a name; undefined for a program of the user's, and for a name that nobody has. */
export const knownAgent = (name: string): KnownAgent | undefined => AGENTS.get(name);

/** The program of `command:PROGRAM`. */
export const programIn = (name: string): string | undefined => /^command:(.+)$/su.exec(name)?.[1];
