import type { UpstreamEdge } from '../core/edges.ts';
import { type Claims, conflict, jointClaims } from '../core/order/claims.ts';
import type { Pairing } from '../core/pairing.ts';
import type { ScheduledWave } from '../core/schedule.ts';
import { type Task, taskKey } from '../core/task.ts';
import { claimIndex } from './preview-claims.ts';

/** When a task may start at the earliest, without a barrier. */
export interface Flow {
  /** The last wave with a task that it has to wait for; null for none. */
  readonly after_wave: number | null;
  /** It is proved not to need all of the wave before its own. */
  readonly early?: true;
  /** What it does not say: whatever it is may conflict with everything earlier. */
  readonly unstated?: readonly ('reads' | 'writes')[];
}

export interface FlowOptions {
  readonly edges: ReadonlyMap<string, readonly UpstreamEdge[]>;
  readonly pairing: Pairing;
}

/** So many tasks of the wave before are looked at for one that is not needed: with more the work were quadratic. */
const LOOKED_AT = 64;

interface Unit {
  readonly key: string;
  readonly claims: Claims;
  readonly upstreams: ReadonlySet<string>;
}

/**
 * By task, what the `pipeline` schedule makes of a plan: each waits for its upstreams and for every task of an earlier
 * wave that may change what it reads or writes, or read what it writes. Reviewers go with their authors and have no
 * entry. Linear in tasks, edges and claims.
 */
export function flowOf(
  waves: readonly ScheduledWave[],
  { edges, pairing }: FlowOptions,
): ReadonlyMap<string, Flow> {
  const flow = new Map<string, Flow>();
  const waveOf = new Map<string, number>();
  const byKey = new Map<string, Task>();
  for (const [wave, { tasks }] of waves.entries())
    for (const task of tasks) {
      waveOf.set(taskKey(task.id), wave);
      byKey.set(taskKey(task.id), task);
    }
  const writers = claimIndex();
  const readers = claimIndex();
  let before: readonly Unit[] = [];
  for (const [wave, { tasks }] of waves.entries()) {
    const units: Unit[] = [];
    for (const task of tasks) {
      const key = taskKey(task.id);
      if (pairing.authors.has(key)) continue;
      const reviewers = pairing.reviewers.get(key) ?? [];
      const claims = jointClaims(
        task,
        reviewers.flatMap((one) => byKey.get(one) ?? []),
      );
      const upstreams = new Set<string>();
      for (const member of [key, ...reviewers])
        for (const { upstream } of edges.get(member) ?? []) upstreams.add(upstream);
      const unit = { key, claims, upstreams };
      units.push(unit);
      let after = -1;
      const wait = (one: number | undefined) => {
        if (one !== undefined && one < wave) after = Math.max(after, one);
      };
      for (const upstream of upstreams) wait(waveOf.get(upstream));
      wait(writers.find(claims.writes)?.wave);
      wait(readers.find(claims.writes)?.wave);
      wait(writers.find(claims.reads)?.wave);
      const unstated = unstatedOf(claims);
      flow.set(key, {
        after_wave: after < 0 ? null : after,
        ...(wave > 0 && (after < wave - 1 || isSpared(unit, before)) ? { early: true } : {}),
        ...(unstated.length > 0 ? { unstated } : {}),
      });
    }
    // Only now: within a wave the plan itself says that tasks go side by side.
    for (const { key, claims } of units) {
      writers.add(claims.writes, { key, wave });
      readers.add(claims.reads, { key, wave });
    }
    before = units;
  }
  return flow;
}

/** Whether there is one among them that the unit does not wait for. */
const isSpared = ({ claims, upstreams }: Unit, before: readonly Unit[]): boolean =>
  before
    .slice(0, LOOKED_AT)
    .some((one) => !upstreams.has(one.key) && !conflict(claims, one.claims));

const unstatedOf = ({ reads, writes }: Claims): ('reads' | 'writes')[] => [
  ...(reads === 'anything' ? (['reads'] as const) : []),
  ...(writes === 'anything' ? (['writes'] as const) : []),
];
