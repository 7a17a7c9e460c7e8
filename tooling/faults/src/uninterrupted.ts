import { platformSandbox } from '@atelier/sandbox';
import type { Passed } from './host-order.ts';
import { judge, treeOf } from './judge.ts';
import type { PlanName } from './plan.ts';
import { makeScene, type Scene } from './scene.ts';
import { type HostEnd, type HostStart, startHost } from './start-host.ts';
import type { Uninterrupted } from './trial.ts';

/** A run that nobody interrupts, with everything that it came by. */
export interface Survey extends Uninterrupted {
  readonly passed: readonly Passed[];
}

/** Tries the walls, and runs the plan to its end. Throws when that alone does not hold. */
export async function survey(plan: PlanName): Promise<Survey> {
  const attestation = await platformSandbox().selfTest();
  if (!attestation.passed) throw new Error('the walls of this machine do not hold');
  const scene = makeScene(plan);
  try {
    const { passed, aliveMs: durationMs } = await runToEnd(scene, { attestation });
    const tree = treeOf(scene);
    const { figures, findings } = await judge(scene, tree);
    if (Object.values(figures).some((one) => one !== 0))
      throw new Error(`the run does not hold without a kill: ${findings.join('; ')}`);
    return { plan, attestation, durationMs, tree, passed };
  } finally {
    scene.remove();
  }
}

/** Runs a scene with one host. Throws when it does not complete. */
export async function runToEnd(
  scene: Scene,
  start: HostStart,
): Promise<Extract<HostEnd, { kind: 'ended' }>> {
  const end = await startHost(scene, start);
  if (end.kind === 'ended' && end.verdict === 'complete') return end;
  throw new Error(`the run does not end by itself: ${JSON.stringify(end)}`);
}
