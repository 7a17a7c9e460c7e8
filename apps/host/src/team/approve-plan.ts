import type { PhaseEvent, Phases } from '@atelier/store-sqlite';
import { HostError } from '../host-error.ts';
import { confirmPhase, takeStep } from './take-step.ts';

const APPROVED = 'plan:approved';

/** The phases that lead to an approved plan; who agrees to a plan agrees to what comes before it. */
const WAY: readonly string[] = ['design:open', 'design:approved', 'plan:open', APPROVED];

interface Approval {
  readonly project: string;
  /** Of the plan, as `hashOf` has it. */
  readonly hash: string;
  readonly agent: string;
}

/**
 * Takes a project by steps that the phases allow to `plan:approved`, the last of them resting on the hash. Where it is
 * there already by a step that named no plan, this one is named. None where that plan is the approved one already. Throws
 * `PHASE_NO_WAY` from any other phase, and `PHASE_MOVED`.
 */
export function approvePlan(phases: Phases, approval: Approval): readonly PhaseEvent[] {
  const { project, hash, agent } = approval;
  const start = phases.start(project);
  const approved = approvedHash(phases, project);
  if (start === APPROVED && approved === hash) return [];
  if (start === APPROVED && approved === undefined)
    return [confirmPhase(phases, { project, phase: start, agent, detail: hash })];
  let from = start;
  return wayFrom(start, phases.next(project)).map((to) => {
    const detail = to === APPROVED ? { detail: hash } : {};
    const event = takeStep(phases, { project, from, to, agent, ...detail });
    from = to;
    return event;
  });
}

/** The hash that the last step to `plan:approved` rests on; undefined while there is none, and for a step without a plan. */
export const approvedHash = (phases: Phases, project: string): string | undefined =>
  phases.history(project).findLast(({ kind, to }) => kind !== 'bypass' && to === APPROVED)
    ?.detail ?? undefined;

function wayFrom(phase: string, next: readonly string[]): readonly string[] {
  const at = WAY.indexOf(phase);
  if (at >= 0 && phase !== APPROVED) return WAY.slice(at + 1);
  if (next.includes(APPROVED)) return [APPROVED];
  throw new HostError(
    'PHASE_NO_WAY',
    phase === APPROVED
      ? 'another plan is approved, and a project does not go back by itself'
      : `no way leads from ${phase} to ${APPROVED}`,
    'Go back to where plans are made with a recorded reason, then approve: atelier phase force plan:open --reason TEXT --agent NAME.',
  );
}
