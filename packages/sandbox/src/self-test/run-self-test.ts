import { shown } from '../quoted.ts';
import type { Probe, SelfTest } from '../sandbox.ts';
import { type Evidence, evidence } from './evidence.ts';
import { runInside } from './run-inside.ts';
import { type Scene, setScene } from './scene.ts';
import { allGone, endAll, outlivesSupervisor } from './survivors.ts';
import type { Tested } from './tested.ts';
import { NAMESPACE_WALLS, OPENINGS, said, WALLS, type Wall } from './walls.ts';

/**
 * Really tries to get out, in a temporary folder, with three runs behind the walls side by side. The verdicts follow from
 * what the host sees afterwards wherever it can see it. Never rejects: a test that could not be made did not pass.
 */
export async function runSelfTest(tested: Tested): Promise<SelfTest> {
  let scene: Scene | undefined;
  try {
    scene = await setScene(tested);
    return report(tested, judge(wallsOf(tested), await gather(scene, tested)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return report(tested, [{ name: 'runs-program', held: false, detail: shown(message, 500) }]);
  } finally {
    scene?.dispose();
  }
}

const wallsOf = ({ kind }: Tested): readonly Wall[] =>
  kind === 'bwrap' ? [...OPENINGS, ...WALLS, ...NAMESPACE_WALLS] : [...OPENINGS, ...WALLS];

async function gather(scene: Scene, { kind, wrap, nestable }: Tested): Promise<Evidence> {
  const { markers, access } = scene;
  const script = wrap(scene.script, access);
  const endless = wrap(scene.endless, access);
  const readOnly = wrap(scene.readOnly, { ...access, readOnly: true });
  const namespaces = kind === 'bwrap';
  try {
    const [ending, supervised] = await Promise.all([
      runInside(script, { OUTER_SECRET: scene.outerSecret }),
      namespaces ? outlivesSupervisor(endless, markers.endless) : { ran: false, gone: false },
      runInside(readOnly, {}),
    ]);
    const survivorsGone = namespaces && (await allGone(markers.survivor));
    return evidence({ scene, ending, nestable, supervised, survivorsGone });
  } finally {
    if (process.platform === 'linux') for (const one of Object.values(markers)) endAll(one);
  }
}

const judge = (walls: readonly Wall[], seen: Evidence): Probe[] =>
  walls.map((wall) => {
    const untried = wall.untried?.(seen);
    if (untried !== undefined)
      return { name: wall.name, held: false, detail: `not tried: ${untried}` };
    const breach = wall.breach(seen);
    if (breach !== undefined) return { name: wall.name, held: false, detail: shown(breach, 1000) };
    return { name: wall.name, held: true, detail: said(wall, seen) };
  });

const report = ({ kind }: Tested, probes: readonly Probe[]): SelfTest =>
  Object.freeze({
    passed: probes.every(({ held }) => held),
    pid: process.pid,
    kind,
    probes: Object.freeze(probes.map((probe) => Object.freeze(probe))),
  });
