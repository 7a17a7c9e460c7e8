import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { atMost } from './at-most.ts';
import { type HostRule, ruleFor, type Target } from './host-rule.ts';
import { isPrivate } from './private-address.ts';

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Whether a target may be reached, and if so where it is. */
export type Reach =
  | {
      readonly kind: 'at';
      readonly addresses: readonly string[];
      readonly port: number;
      readonly rule: HostRule;
    }
  | { readonly kind: 'denied' | 'unknown'; readonly why: string };

/**
 * Decides by name, then resolves, once: whoever connects takes the addresses from here, so that a name that points elsewhere
 * a moment later changes nothing. A private address is reached only where a rule names its host and port literally.
 */
export async function reach(
  target: Target,
  rules: readonly HostRule[],
  find: Lookup,
): Promise<Reach> {
  const rule = ruleFor(rules, target);
  if (!rule) return { kind: 'denied', why: 'it is not on the list of allowed hosts' };
  const addresses =
    isIP(target.host) === 0 ? await find(target.host).catch(() => []) : [target.host];
  if (addresses.length === 0) return { kind: 'unknown', why: 'its name can not be resolved' };
  const open = addresses.filter((one) => rule.mayBePrivate || !isPrivate(one));
  return open.length === 0
    ? { kind: 'denied', why: 'its address is a private one; list it with its port' }
    : { kind: 'at', addresses: open, port: target.port, rule };
}

/** They share the few threads that also read and write the host's files. */
const LOOKUPS = 2;

/** The addresses as the system knows them, the more widely routed kind first. Of all who ask, two at a time are answered. */
export const systemLookup: Lookup = atMost(LOOKUPS, async (host) =>
  (await lookup(host, { all: true, verbatim: false })).map(({ address }) => address),
);
