import type { ConfirmedPhase, PhaseAdvance, PhaseEvent, Phases } from '@atelier/store-sqlite';
import { HostError } from '../host-error.ts';

/** Moves a project from where it was seen. Throws `PHASE_MOVED` when somebody else moved it first. */
export function takeStep(phases: Phases, step: PhaseAdvance): PhaseEvent {
  const event = phases.advance(step);
  if (event) return event;
  throw moved(
    `the project has left ${step.from} and is at ${phases.current(step.project)}: the step to ${step.to} was not taken`,
  );
}

/** Says what the phase of a project rests on. Throws `PHASE_MOVED` when somebody else did, or moved it. */
export function confirmPhase(phases: Phases, step: ConfirmedPhase): PhaseEvent {
  const event = phases.confirm(step);
  if (event) return event;
  throw moved(`the project has left ${step.phase}, or it rests on something else by now`);
}

const moved = (message: string): HostError =>
  new HostError(
    'PHASE_MOVED',
    message,
    'Somebody else took a step at the same time. See atelier phase history, then decide anew.',
  );
