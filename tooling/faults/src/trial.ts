import type { Attestation } from '@atelier/cli-transport';
import { type Judgement, judge } from './judge.ts';
import { type KillPoint, nameOf } from './kill-point.ts';
import type { PlanName } from './plan.ts';
import { processesWith } from './processes.ts';
import { makeScene, type Scene } from './scene.ts';
import { startHost } from './start-host.ts';

/** One run, and where its hosts are killed, one after the other. */
export interface Trial {
  /** The same in every session. */
  readonly name: string;
  readonly points: readonly KillPoint[];
}

/** What is known of a run that nobody interrupts. */
export interface Uninterrupted {
  readonly plan: PlanName;
  readonly attestation: Attestation;
  readonly durationMs: number;
  readonly tree: string;
}

/** What came of a trial. */
export interface TrialEnd extends Judgement {
  readonly name: string;
  /** The kills that fell, in order; a run may end before one falls. */
  readonly kills: readonly string[];
  readonly hosts: number;
  /** Hosts that neither were killed nor brought the run to its end. */
  readonly stranded: readonly string[];
  readonly ms: number;
  /** Every figure is 0 and no host was stranded. */
  readonly held: boolean;
  /** Where the scene of a trial that did not hold was left. */
  readonly kept?: string;
}

const MOST_HOSTS = 10;

/** Runs a trial to the end of its run and judges it. A scene that did not hold is kept, one that did is removed. */
export async function runTrial(
  { name, points }: Trial,
  { plan, attestation, durationMs, tree }: Uninterrupted,
): Promise<TrialEnd> {
  const scene = makeScene(plan);
  const began = performance.now();
  const kills: string[] = [];
  const stranded: string[] = [];
  let hosts = 0;
  for (let over = false; !over && hosts < MOST_HOSTS; hosts += 1) {
    const point = points[kills.length];
    const end = await startHost(scene, { attestation, point, durationMs });
    if (end.kind === 'killed' && point) kills.push(nameOf(point));
    else if (end.kind === 'ended' && ENDED.has(end.verdict)) over = true;
    else stranded.push(end.kind === 'ended' ? end.verdict : whyOf(end));
  }
  const judgement = await judge(scene, tree);
  const held = stranded.length === 0 && Object.values(judgement.figures).every((one) => one === 0);
  clear(scene);
  if (held) scene.remove();
  const ms = Math.round(performance.now() - began);
  return {
    ...{ name, kills, hosts, stranded, ms, held },
    ...judgement,
    ...(held ? {} : { kept: scene.folder }),
  };
}

const ENDED: ReadonlySet<string> = new Set(['complete', 'abandoned']);

const whyOf = (end: { readonly kind: string; readonly why?: string }): string =>
  end.why ?? `a host was killed that nobody had killed`;

/** Ends what a faulty run has left, once it was counted. */
export function clear({ folder }: Pick<Scene, 'folder'>): void {
  for (const { pid } of processesWith([folder])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended while we looked.
    }
  }
}
