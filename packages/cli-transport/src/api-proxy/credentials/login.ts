import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';
import { field } from '../dialects/fields.ts';

/** What a login file says now. */
export interface Login {
  readonly accessToken: string;
  /** Epoch milliseconds; undefined when the file does not say. */
  readonly expiresAt: number | undefined;
}

/** Where Claude Code keeps the login of a user. */
export const loginPath = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || '/', '.claude'), '.credentials.json');

const LONGEST = 1024 * 1024;

/** A file that was read, and how to tell whether it has changed. */
interface ReadLogin {
  readonly stamp: string;
  readonly login: Login;
}

/**
 * Reads a login file when it has changed since it was read last. Rejects with `LOGIN_FILE`; its message has nothing of the
 * file's content, nor does it have a cause that would.
 */
export function loginReader(path: string): () => Promise<Login> {
  let last: ReadLogin | undefined;
  return async () => {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
      throw unreadable(path, String(error.code ?? 'it can not be opened'));
    });
    try {
      const { ino, size, mtimeMs } = await file.stat();
      const stamp = `${ino} ${size} ${mtimeMs}`;
      if (last?.stamp === stamp) return last.login;
      if (size > LONGEST) throw unreadable(path, 'it is too long');
      const login = loginIn(await file.readFile('utf8').catch(() => ''));
      if (!login) throw unreadable(path, 'it holds no login of a subscription');
      last = { stamp, login };
      return login;
    } finally {
      await file.close();
    }
  };
}

function loginIn(text: string): Login | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  const login = field(content, 'claudeAiOauth');
  const [accessToken, expiresAt] = [field(login, 'accessToken'), field(login, 'expiresAt')];
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/u.test(accessToken)) return undefined;
  return { accessToken, expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined };
}

const unreadable = (path: string, why: string): CliTransportError =>
  new CliTransportError(
    'LOGIN_FILE',
    `the login ${printable(path)} can not be used: ${printable(why, 60)}`,
    'Log in with `claude auth login`, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.',
  );
