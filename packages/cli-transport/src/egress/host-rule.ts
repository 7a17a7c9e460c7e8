import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../cli-error.ts';

/** Where programs may go. */
export interface HostRule {
  /** As it was given. */
  readonly text: string;
  /** Lower case, ASCII; of `*.example.org` what follows the star, with its dot. */
  readonly host: string;
  readonly kind: 'exact' | 'below';
  readonly ports: readonly number[];
  /** It names a host and a port literally: then the address may be a private one. */
  readonly mayBePrivate: boolean;
}

/** A host and a port, as a program asks for them. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS: readonly number[] = Object.freeze([443, 80]);

/**
 * Reads an allow-list: `registry.example`, `*.example.org` for every name below it and not itself, each on the ports 443
 * and 80, or with a port, `host:port`. An address only with its port. Throws `EGRESS_RULE`, naming the entry.
 */
export const hostRules = (allow: readonly string[]): readonly HostRule[] => allow.map(ruleOf);

function ruleOf(text: string): HostRule {
  const star = text.startsWith('*.');
  const target = targetOf(star ? text.slice(2) : text);
  const isBare = target === undefined;
  const host = isBare ? hostOf(star ? text.slice(2) : text) : target.host;
  if (host === undefined) throw invalid(text, 'it is no host name');
  if (isIP(host) !== 0 && (star || isBare)) throw invalid(text, 'an address needs its port');
  if (star && !host.includes('.')) throw invalid(text, 'it would open a whole top-level domain');
  return {
    text,
    host: star ? `.${host}` : host,
    kind: star ? 'below' : 'exact',
    ports: isBare ? DEFAULT_PORTS : [target.port],
    mayBePrivate: !star && !isBare,
  };
}

/** The rule that lets a target through. The one that allows more comes first. */
export const ruleFor = (
  rules: readonly HostRule[],
  { host, port }: Target,
): HostRule | undefined => {
  const fitting = rules.filter(
    (rule) =>
      rule.ports.includes(port) &&
      (rule.kind === 'exact'
        ? host === rule.host
        : isIP(host) === 0 && host.endsWith(rule.host) && host.length > rule.host.length),
  );
  return fitting.find(({ mayBePrivate }) => mayBePrivate) ?? fitting[0];
};

const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s/@]+)):([1-9]\d{0,4})$/iu;

/** Reads `host:port`; undefined for anything else. */
export function targetOf(authority: string): Target | undefined {
  const [, address, name, digits] = AUTHORITY.exec(authority) ?? [];
  const host = hostOf(address ?? name ?? '');
  const port = Number(digits);
  const isWhole =
    host !== undefined && port <= 65_535 && (address !== undefined) === (isIP(host) === 6);
  return isWhole ? { host, port } : undefined;
}

/** One spelling for each name: lower case, ASCII, without the dot of the root. */
export function hostOf(given: string): string | undefined {
  const bare = given.replace(/^\[|\]$/gu, '');
  if (isIP(bare) !== 0) return bare.toLowerCase();
  const ascii = /^[^\s%:/?#@\\[\]*]{1,253}$/u.test(bare) ? domainToASCII(bare) : '';
  const host = ascii.replace(/\.$/u, '').toLowerCase();
  const isName =
    /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/u;
  // A name that ends with a number is an address in disguise, such as 127.1 or 0x7f000001.
  return isName.test(host) && !/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(host) ? host : undefined;
}

const invalid = (text: string, why: string): CliTransportError =>
  new CliTransportError(
    'EGRESS_RULE',
    `the allow-list can not have ${printable(text, 80)}: ${why}`,
    'Give host names such as registry.npmjs.org, *.example.org or registry.internal:8443.',
  );
