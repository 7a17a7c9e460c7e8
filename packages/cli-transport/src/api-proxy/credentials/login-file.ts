import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';
import { findFlock } from '../../find-program.ts';
import { machineClock } from '../../machine-clock.ts';
import { type ApiCredential, oauthHeaders } from './credential.ts';
import { type Login, loginPath, loginReader } from './login.ts';
import { runRefresh } from './refresh-command.ts';
import { underLock } from './refresh-lock.ts';

export interface LoginFileOptions {
  /** A folder of ours for the lock, the same for every host of this user on this machine. */
  readonly stateDir: string;
  /** The host's environment: it says where the login is, and the program that refreshes it needs it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Refreshes the login without asking the model. Default `claude auth status`. */
  readonly refresh?: readonly string[];
  /** 60,000 when absent. */
  readonly refreshMs?: number;
  readonly clock?: Clock;
}

/** An access token that ends so soon may end on the way. */
const MARGIN_MS = 60_000;
/** A refresh that led to nothing is not tried again at once for everyone who asks. */
const REST_MS = 30_000;

/**
 * The login of a subscription as Claude Code keeps it, in `$CLAUDE_CONFIG_DIR` or `~/.claude`: read on the host when it
 * changes, never written. One that has expired or is refused is refreshed by the program that owns it, one host at a
 * time. `current` rejects with `LOGIN_FILE`, or with `LOGIN_EXPIRED` when nothing refreshed it.
 */
export function loginFile(options: LoginFileOptions): ApiCredential {
  const { stateDir, env, refresh = ['claude', 'auth', 'status'] } = options;
  const { refreshMs = 60_000, clock = machineClock } = options;
  const path = loginPath(env);
  const read = loginReader(path);
  let failed: { readonly token: string; readonly at: number } | undefined;
  let renewing: Promise<boolean> | undefined;

  const hasExpired = ({ expiresAt }: Login): boolean =>
    expiresAt !== undefined && expiresAt - MARGIN_MS <= clock.wall();
  const isNewer = async (than: Login): Promise<boolean> => {
    const now = await read();
    return now.accessToken !== than.accessToken && !hasExpired(now);
  };
  const renewed = async (old: Login): Promise<boolean> => {
    if (failed?.token === old.accessToken && clock.now() - failed.at < REST_MS) return false;
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const isRenewed = await underLock(join(stateDir, 'login.lock'), findFlock(), async (held) => {
      // Whoever had the lock before may have done it.
      if (await isNewer(old)) return true;
      await runRefresh({ command: refresh, env, cwd: stateDir, timeoutMs: refreshMs, held });
      return isNewer(old);
    });
    failed = isRenewed ? undefined : { token: old.accessToken, at: clock.now() };
    return isRenewed;
  };
  const renewOnce = (old: Login): Promise<boolean> => {
    renewing ??= renewed(old).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  let given: Login | undefined;
  return {
    async current() {
      let login = await read();
      if (hasExpired(login)) {
        await renewOnce(login);
        login = await read();
      }
      if (hasExpired(login)) throw expired(path, refresh);
      given = login;
      return oauthHeaders(login.accessToken);
    },
    async renew() {
      const old = given ?? (await read());
      return (await isNewer(old)) || renewOnce(old);
    },
  };
}

const expired = (path: string, refresh: readonly string[]): CliTransportError =>
  new CliTransportError(
    'LOGIN_EXPIRED',
    `the login ${printable(path)} has expired, and \`${printable(refresh.join(' '), 80)}\` did not refresh it`,
    'Log in again with `claude auth login`, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.',
  );
