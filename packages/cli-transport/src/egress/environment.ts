import { hostRules } from './host-rule.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * What tells an agent's program that its own way to the model, which is on the loopback interface, is no matter of an
 * egress proxy: also where the allow-list names a host of that interface for others.
 */
export const DIRECT_LOOPBACK: Readonly<Record<'NO_PROXY' | 'no_proxy', string>> = Object.freeze({
  NO_PROXY: LOOPBACK.join(','),
  no_proxy: LOOPBACK.join(','),
});

/**
 * What tells a program that the egress proxy is behind a port of its loopback interface. What a command starts itself on
 * that interface is reached directly, but for hosts of it that the allow-list names. Throws `EGRESS_RULE`.
 */
export function egressEnvironment(
  port: number,
  allow: readonly string[] = [],
): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  const listed = new Set(hostRules(allow).map(({ host }) => host));
  const direct = LOOPBACK.filter((host) => !listed.has(host)).join(',');
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: direct,
  };
}
