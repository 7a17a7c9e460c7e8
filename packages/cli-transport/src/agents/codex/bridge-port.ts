import { createHash } from 'node:crypto';

/** Below the ports that systems hand out by themselves. */
const FIRST = 20_000;
const COUNT = 12_000;

/** The port of an attempt inside: its own, for on a host without walls the attempts share the loopback interface. */
export function bridgePort(nonce: string): number {
  const hash = createHash('sha256').update(`bridge ${nonce}`).digest();
  return FIRST + (hash.readUInt32BE() % COUNT);
}
