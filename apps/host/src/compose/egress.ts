import { dirname, join } from 'node:path';
import {
  type Agent,
  type ConfinedShellOptions,
  egressEnvironment,
  egressProxy,
  type Traffic,
} from '@atelier/cli-transport';
import { printable } from '@atelier/envelope';

/** Where workers and commands find the way out, if there is one. */
export interface Egress {
  readonly reach: Required<Pick<ConfinedShellOptions, 'sockets' | 'bridges' | 'env'>>;
  close(): Promise<void>;
}

interface EgressOptions {
  /** The hosts of the user's config. */
  readonly allow: readonly string[];
  /** A private folder with a short name, the same for every host of the run. */
  readonly sockets: string;
  /** Without walls there is nothing to let anybody out of. */
  readonly confined: boolean;
  readonly warn: (message: string) => void;
  /** Told of what went through, at the end. */
  readonly tell: (line: string) => void;
}

const INSIDE = '/run/atelier-egress';
const PORT = 3128;

/** Opens the way out of the walls to listed hosts. Without any there is none: undefined, and nothing is opened. */
export async function openEgress({
  allow,
  sockets,
  confined,
  warn,
  tell,
}: EgressOptions): Promise<Egress | undefined> {
  if (allow.length === 0) return undefined;
  if (!confined) {
    warn('network.allow holds nothing back here: without walls workers reach every host');
    return undefined;
  }
  const proxy = await egressProxy({
    socketPath: join(sockets, 'egress', 'proxy.sock'),
    allow,
    onDenied: (line) => warn(`not let out: ${printable(line, 200)}`),
  });
  return {
    reach: {
      sockets: [{ outside: dirname(proxy.socketPath), inside: INSIDE }],
      bridges: [{ port: PORT, socket: join(INSIDE, 'proxy.sock') }],
      env: egressEnvironment(PORT, allow),
    },
    async close() {
      for (const one of proxy.traffic()) tell(trafficText(one));
      await proxy.close();
    },
  };
}

const trafficText = ({ entry, connections, sentBytes, receivedBytes }: Traffic): string =>
  `let out to ${printable(entry, 200)}: ${connections} ${connections === 1 ? 'connection' : 'connections'}, ${sentBytes} bytes sent, ${receivedBytes} received`;

/** The agent, with the way out that its commands may use. */
export function withEgress(agent: Agent, egress: Egress | undefined): Agent {
  if (!egress) return agent;
  const { sockets, bridges, env } = egress.reach;
  return {
    ...agent,
    needsBridge: true,
    call(order, place) {
      const call = agent.call(order, place);
      return {
        ...call,
        env: { ...env, ...call.env },
        sockets: [...(call.sockets ?? []), ...sockets],
        bridges: [...(call.bridges ?? []), ...bridges],
      };
    },
  };
}
