import type { PhaseAdvance, PhaseEvent, Phases } from '@atelier/store-sqlite';
import { HostError } from '../host-error.ts';

/** Moves a project from where it was seen. Throws `PHASE_MOVED` when somebody else moved it first. */
export function takeStep(phases: Phases, step: PhaseAdvance): PhaseEvent {
  const event = phases.advance(step);
  if (event) return event;
  throw new HostError(
    'PHASE_MOVED',
    `the project has left ${step.from} and is at ${phases.current(step.project)}: the step to ${step.to} was not taken`,
    'Somebody else took a step at the same time. See atelier phase history, then decide anew.',
  );
}
