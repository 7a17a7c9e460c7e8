import { attemptToken } from '../../api-proxy/attempt-token.ts';
import { DIRECT_LOOPBACK } from '../../egress/environment.ts';
import type { ClaudeSettings } from './options.ts';

/**
 * What the program finds in its environment. Its own retries are two, for streams that break: what can be sent again
 * unseen is the proxy's, and what a failure means is the host's. A stalled stream ends after a minute; a command can not
 * be sent to the background, where it would keep the program from ever exiting.
 */
export function environmentOf(
  { apiKey, apiSocket, apiSocketInside }: ClaudeSettings,
  nonce: string,
): Record<string, string> {
  return {
    ...DIRECT_LOOPBACK,
    ANTHROPIC_API_KEY: apiKey ?? attemptToken(nonce),
    // Plain http: with https the program would speak TLS to the socket.
    ...(apiSocket === undefined
      ? {}
      : { ANTHROPIC_BASE_URL: 'http://localhost', ANTHROPIC_UNIX_SOCKET: apiSocketInside }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    BASH_DEFAULT_TIMEOUT_MS: '120000',
    BASH_MAX_TIMEOUT_MS: '600000',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '60000',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  };
}
