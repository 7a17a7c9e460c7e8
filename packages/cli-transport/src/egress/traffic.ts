import type { Socket } from 'node:net';

/** What went through by one entry of the allow-list. */
export interface Traffic {
  readonly entry: string;
  readonly connections: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** One count for each entry of the list: a wildcard lets any number of names through. */
export function trafficCount(): {
  count(entry: string, upstream: Socket): void;
  all(): readonly Traffic[];
} {
  const settled = new Map<string, Traffic>();
  const open = new Map<Socket, string>();
  const added = (before: Traffic, { bytesWritten, bytesRead }: Socket): Traffic => ({
    ...before,
    sentBytes: before.sentBytes + bytesWritten,
    receivedBytes: before.receivedBytes + bytesRead,
  });
  const of = (entry: string): Traffic =>
    settled.get(entry) ?? { entry, connections: 0, sentBytes: 0, receivedBytes: 0 };
  return {
    count(entry, upstream) {
      settled.set(entry, { ...of(entry), connections: of(entry).connections + 1 });
      open.set(upstream, entry);
      upstream.once('close', () => {
        open.delete(upstream);
        settled.set(entry, added(of(entry), upstream));
      });
    },
    all: () =>
      [...settled.values()].map((traffic) =>
        [...open].reduce(
          (sum, [socket, entry]) => (entry === traffic.entry ? added(sum, socket) : sum),
          traffic,
        ),
      ),
  };
}
