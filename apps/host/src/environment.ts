import { homedir } from 'node:os';
import { join } from 'node:path';
import { HostError } from './host-error.ts';

/** All that a command takes from the environment of its process, read once. */
export interface Environment {
  /** The folder that relative paths of the command line start at. */
  readonly cwd: string;
  /** Where worktrees, spools and private files go unless told otherwise. */
  readonly stateHome: string;
  /** The user's own config, which need not be there. */
  readonly configFile: string;
  /** The operator's word that this machine is confined as a whole. Exactly `1` counts. */
  readonly allowUnsandboxed: boolean;
  readonly runMode: string | undefined;
  /** The tier that every attempt is to have, whatever the tasks say. */
  readonly modelTier: string | undefined;
  /** Bytes of replies above which the summary of a wave has a digest; what is no whole number is ignored. */
  readonly compressThreshold: number | undefined;
  /** Bytes above which a message on a team's wire is kept beside it; what is no whole number is ignored. */
  readonly refThreshold: number | undefined;
  /** Nobody is to be asked anything. */
  readonly ci: boolean;
  /** Where the model API of claude is, and what opens it. */
  readonly api: {
    readonly baseUrl: string;
    readonly key: string | undefined;
    /** A long-lived token of a subscription. */
    readonly oauthToken: string | undefined;
    /** Where a login of a subscription is kept, if there is one. */
    readonly loginFile: string;
  };
  /** The whole environment, for programs of the user that the host starts. */
  readonly whole: Readonly<Record<string, string | undefined>>;
  /** That of codex. */
  readonly openai: { readonly baseUrl: string; readonly key: string | undefined };
}

/**
 * Throws `UNKNOWN_TRANSPORT` for a transport that does not exist, and `NOT_IMPLEMENTED` for what is promised
 * and not there yet: the fleet, and any storage but the local one.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Environment {
  assertTransport(env['ATELIER_TRANSPORT']?.trim() || 'cli');
  assertStorage(env['ATELIER_STORAGE']?.trim() || 'local');
  return {
    cwd,
    stateHome: join(env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'atelier'),
    configFile: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'atelier/config.yaml'),
    allowUnsandboxed: env['ATELIER_CLI_ALLOW_UNSANDBOXED'] === '1',
    runMode: env['ATELIER_RUN_MODE'],
    modelTier: env['ATELIER_MODEL_TIER'],
    compressThreshold: wholeNumber(env['ATELIER_COMPRESS_THRESHOLD']),
    refThreshold: wholeNumber(env['ATELIER_BRIDGE_REF_THRESHOLD']),
    ci: isSet(env['CI']) || isSet(env['GITHUB_ACTIONS']),
    api: {
      baseUrl: env['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com',
      key: env['ANTHROPIC_API_KEY'],
      oauthToken: env['CLAUDE_CODE_OAUTH_TOKEN'],
      loginFile: join(
        env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || '/', '.claude'),
        '.credentials.json',
      ),
    },
    whole: env,
    openai: {
      baseUrl: env['OPENAI_BASE_URL'] || 'https://api.openai.com/v1',
      key: env['OPENAI_API_KEY'],
    },
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = /^\d{1,16}$/u.test(text?.trim() ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** `CI=false` and `CI=0` say no. */
const isSet = (value: string | undefined): boolean =>
  !['', '0', 'false'].includes(value?.trim().toLowerCase() ?? '');

function assertTransport(name: string): void {
  if (name === 'cli') return;
  if (name === 'bullmq')
    throw new HostError(
      'NOT_IMPLEMENTED',
      'ATELIER_TRANSPORT=bullmq: running on other machines is not there yet',
      'Unset it; attempts then run on this machine.',
    );
  throw new HostError(
    'UNKNOWN_TRANSPORT',
    `ATELIER_TRANSPORT=${name} names no transport`,
    name === 'bridge'
      ? 'The bridge is gone for good. Unset it, or set it to cli.'
      : 'Unset it, or set it to cli.',
  );
}

function assertStorage(name: string): void {
  if (name === 'local') return;
  throw new HostError(
    'NOT_IMPLEMENTED',
    `ATELIER_STORAGE=${name}: runs are kept in local mode only`,
    'Unset it; the journal is then a file in the git folder of the repository.',
  );
}
