import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { loginFile } from '../../src/api-proxy/credentials/login-file.ts';
import { killHost, spawnLoginHost } from '../host-process.ts';
import { leapingClock, rig, says, scratch, WALL } from './rig.ts';

const HOUR = 3_600_000;

const content = (accessToken: unknown, expiresAt: unknown = WALL + HOUR): string =>
  JSON.stringify({ claudeAiOauth: { accessToken, refreshToken: 'sk-refresh-secret', expiresAt } });

/** A home with a login, and a program that refreshes it as the owner of the file does: written beside, and renamed. */
async function home(text: string, refreshed: string | null = content('sk-token-new')) {
  const folder = await scratch();
  const config = join(folder, '.claude');
  await mkdir(config);
  const path = join(config, '.credentials.json');
  const write = async (next: string) => {
    await writeFile(`${path}.new`, next, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  await write(text);
  const log = join(folder, 'log');
  await writeFile(log, '');
  if (refreshed) await writeFile(join(folder, 'next'), refreshed);
  const script = join(folder, 'refresh.sh');
  const put = refreshed
    ? 'cp "$HOME/next" "$HOME/.n" && mv "$HOME/.n" "$HOME/.claude/.credentials.json"'
    : 'exit 1';
  await writeFile(
    script,
    `echo "run \${ANTHROPIC_API_KEY:-none}" >> "$HOME/log"\nsleep 0.1\necho sk-noise\n${put}\n`,
  );
  const clock = leapingClock();
  const login = () =>
    loginFile({
      stateDir: join(folder, 'state'),
      env: { HOME: folder, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-other' },
      refresh: ['/bin/sh', script],
      clock,
    });
  const runs = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return { folder, path, write, clock, login, runs };
}

const bearer = (token: string) => ({
  authorization: `Bearer ${token}`,
  'anthropic-beta': 'oauth-2025-04-20',
});

it('the login is read, and read again when it has changed; nothing is written', async () => {
  const at = await home(content('sk-token-one'));
  const login = at.login();
  expect(await login.current()).toEqual(bearer('sk-token-one'));
  const before = await stat(at.path);
  await at.write(content('sk-token-two'));
  expect(await login.current()).toEqual(bearer('sk-token-two'));
  expect(at.runs()).toEqual([]);
  expect((await readdir(join(at.folder, '.claude'))).length).toBe(1);
  expect((await stat(at.path)).ino).not.toBe(before.ino);
});

it('CLAUDE_CONFIG_DIR names another place', async () => {
  const at = await home(content('sk-token-one'));
  const env = { HOME: '/nowhere', CLAUDE_CONFIG_DIR: join(at.folder, '.claude') };
  const login = loginFile({ stateDir: join(at.folder, 'state'), env, clock: at.clock });
  expect(await login.current()).toEqual(bearer('sk-token-one'));
});

it('one that has expired is refreshed once by its owner, for all who ask, on two hosts', async () => {
  const at = await home(content('sk-token-old', WALL + 1_000));
  const [one, other] = [at.login(), at.login()];
  const asked = await Promise.all([one, one, one, other, other].map((login) => login.current()));
  expect(asked).toEqual(Array(5).fill(bearer('sk-token-new')));
  // Set for the program, a key would have taken the place of the login.
  expect(at.runs()).toEqual(['run none']);
});

it('a refresh that outlives its host is waited for: two at once could end the login', async () => {
  const at = await home(content('sk-token-old', 1));
  const go = join(at.folder, 'go');
  const script = join(at.folder, 'refresh.sh');
  const slow = `until [ -e '${go}' ]; do sleep 0.05; done\n`;
  await writeFile(script, (await readFile(script, 'utf8')).replace('sleep 0.1\n', slow));
  const env = { HOME: at.folder, PATH: '/usr/bin:/bin' };
  const options = { stateDir: join(at.folder, 'state'), env, refresh: ['/bin/sh', script] };
  const host = spawnLoginHost(options);
  await vi.waitUntil(() => at.runs().length > 0, { timeout: 50_000 });
  await killHost(host);
  const next = at.login().current();
  // Long enough for the next host to begin one of its own.
  await setTimeout(1_500);
  await writeFile(go, '');
  expect(await next).toEqual(bearer('sk-token-new'));
  expect(at.runs()).toEqual(['run none']);
});

it('one that is refused: a newer one in the file counts, else the owner is asked', async () => {
  const at = await home(content('sk-token-old'));
  const login = at.login();
  await login.current();
  await at.write(content('sk-token-mid'));
  expect(await login.renew?.()).toBe(true);
  expect(at.runs()).toEqual([]);
  expect(await login.current()).toEqual(bearer('sk-token-mid'));
  expect(await login.renew?.()).toBe(true);
  expect(at.runs().length).toBe(1);
  expect(await login.current()).toEqual(bearer('sk-token-new'));
});

it('LOGIN_EXPIRED when nothing refreshes it; the owner is not asked again at once', async () => {
  const at = await home(content('sk-token-old', WALL - 1), null);
  const login = at.login();
  const expired = { code: 'LOGIN_EXPIRED', hint: expect.stringContaining('claude auth login') };
  await expect(login.current()).rejects.toMatchObject(expired);
  await expect(login.current()).rejects.toMatchObject(expired);
  expect(await login.renew?.()).toBe(false);
  expect(at.runs().length).toBe(1);
  await at.clock.sleep(30_000);
  await expect(login.current()).rejects.toMatchObject(expired);
  expect(at.runs().length).toBe(2);
});

it.each([
  ['no JSON', '{"claudeAiOauth":{"accessToken":"sk-leak"'],
  ['another shape', '{"accessToken":"sk-leak"}'],
  ['a token that no header carries', content('sk-leak\r\nx-evil: 1')],
  ['a token that is none', content(7)],
  ['much too long', `${content('sk-leak')}${' '.repeat(1024 * 1024)}`],
])('LOGIN_FILE: %s, and nothing of it in the error', async (_, text) => {
  const at = await home(text);
  const error: unknown = await at
    .login()
    .current()
    .catch((cause) => cause);
  expect(error).toMatchObject({ code: 'LOGIN_FILE' });
  expect(error).not.toHaveProperty('cause');
  expect(String(error) + JSON.stringify(error)).not.toMatch(/leak|secret/u);
});

it('LOGIN_FILE: none', async () => {
  const folder = await scratch();
  await expect(
    loginFile({ stateDir: folder, env: { HOME: folder } }).current(),
  ).rejects.toMatchObject({ code: 'LOGIN_FILE', message: expect.stringContaining('ENOENT') });
});

it('O-17: a login that is no good is a matter of the account, and its path stays out of the sandbox', async () => {
  const at = await home(content('sk-token-old', WALL - 1), null);
  const { call, up, pass } = await rig({ credential: at.login() });
  up.answers = [says(200)];
  const { status, body, headers } = await call();
  expect({ status, retry: headers['x-should-retry'] }).toEqual({ status: 401, retry: 'false' });
  expect(JSON.parse(body).error.type).toBe('authentication_error');
  expect(body).not.toContain(at.folder);
  expect(pass.record().trouble).toEqual({
    kind: 'account',
    detail: expect.stringContaining('claude auth login'),
  });
  expect(up.seen).toEqual([]);
});

it('a 401 in the middle of a run leads to a refresh, and the request is answered', async () => {
  const at = await home(content('sk-token-old'));
  const { call, up } = await rig({ credential: at.login() });
  up.answers = [says(401), says(200)];
  expect((await call()).status).toBe(200);
  expect(up.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer sk-token-old',
    'Bearer sk-token-new',
  ]);
});
