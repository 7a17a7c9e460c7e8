import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiCredential, apiKey, loginFile, oauthToken } from '@atelier/cli-transport';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';

/**
 * What pays for claude, the first that is there: a key, a token of a subscription, the login that Claude Code keeps. All
 * three stay on the host. Throws a {@link UsageError} when there is none.
 */
export function claudeCredential(
  { api, stateHome, whole }: Pick<Environment, 'api' | 'stateHome' | 'whole'>,
  refresh?: readonly string[],
): ApiCredential {
  if (api.key) return apiKey('anthropic', api.key);
  if (api.oauthToken) return oauthToken(api.oauthToken);
  if (existsSync(api.loginFile))
    return loginFile({
      ...{ stateDir: join(stateHome, 'login'), env: whole },
      ...(refresh ? { refresh } : {}),
    });
  throw new UsageError(
    'the claude agent needs ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN or a login of Claude Code',
    'Set ANTHROPIC_API_KEY to a key of the API that ANTHROPIC_BASE_URL names, or log in with claude.',
  );
}

/** What pays for codex. Throws a {@link UsageError} without a key. */
export function codexCredential({ openai }: Pick<Environment, 'openai'>): ApiCredential {
  if (openai.key) return apiKey('openai', openai.key);
  throw new UsageError(
    'the codex agent needs OPENAI_API_KEY',
    'Set it to a key of the API that OPENAI_BASE_URL names.',
  );
}
