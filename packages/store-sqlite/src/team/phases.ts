import type { Connection } from '../connection.ts';
import { bypassGate, checkGate, type GateAnswer, type GateBypass } from './gate.ts';
import type { Phase } from './phase-catalogue.ts';
import { illegalPhase, nextPhases, phaseNamed, readPhases } from './phase-graph.ts';
import {
  bookBypass,
  bookEvent,
  type PhaseBypass,
  type PhaseEvent,
  readBypasses,
  readEvents,
} from './phase-history.ts';
import { currentPhase, moveProject, startedProjects, startProject } from './project-phase.ts';

/** A step that the catalogue knows. */
export interface PhaseAdvance {
  readonly project: string;
  /** Where the caller saw the project: the step is taken from there or not at all. */
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  /** What the step rests on, such as the hash of a plan. */
  readonly detail?: string;
}

/** A phase that a project is in already, for want of what it rests on. */
export interface ConfirmedPhase {
  readonly project: string;
  readonly phase: string;
  readonly agent: string;
  readonly detail: string;
}

/** A step that it does not know. */
export interface ForcedPhase {
  readonly project: string;
  readonly to: string;
  readonly agent: string;
  readonly reason: string;
  readonly detail?: string;
}

/** Where the projects of this store are, and how they came there. Who takes a project throws `STORE_NO_SUCH_PROJECT`. */
export interface Phases {
  catalogue(): readonly Phase[];
  /** Those that have begun, the one that moved last before all others. */
  projects(): readonly string[];
  /** Begins a project at the first phase, if it is new; gives where it is. Throws `STORE_BAD_NAME`. */
  start(project: string): string;
  current(project: string): string;
  /** The phases to which the project may advance; none at its end. */
  next(project: string): readonly string[];
  /**
   * Moves a project and books the step, in one transaction; null when it is no longer where the caller saw it, so that
   * of two who take the same step one does. Throws `STORE_NO_SUCH_PHASE`, or `STORE_PHASE_ILLEGAL` naming what is legal.
   */
  advance(step: PhaseAdvance): PhaseEvent | null;
  /**
   * Books what the phase that a project is in rests on, as a step that goes nowhere; null when the project is no longer
   * there, or the phase rests on something already. Throws `STORE_BAD_TEXT` without a detail.
   */
  confirm(step: ConfirmedPhase): PhaseEvent | null;
  /** Moves a project to any phase of the catalogue, and books step and bypass. Throws `STORE_NO_SUCH_PHASE`. */
  force(step: ForcedPhase): PhaseEvent;
  /** Whether a procedure may begin. An answer, never an error: who asks decides. */
  checkGate(project: string, skill: string): GateAnswer;
  /** Books that a procedure is let through. Throws `STORE_NO_SUCH_GATE`, or `STORE_BAD_TEXT` without agent or reason. */
  bypass(bypass: GateBypass): PhaseBypass;
  /** Oldest first. */
  history(project: string): readonly PhaseEvent[];
  /** Oldest first. */
  bypasses(project: string): readonly PhaseBypass[];
}

/** The phases over a connection. */
export const phaseBook = (connection: Connection, now: () => string): Phases => ({
  catalogue: () => readPhases(connection),
  projects: () => startedProjects(connection),
  start: (project) => startProject(connection, project, now()),
  current: (project) => currentPhase(connection, project),
  next: (project) => nextPhases(connection, currentPhase(connection, project)),
  advance: (step) => connection.atomically(() => advance(connection, step, now())),
  confirm: (step) => connection.atomically(() => confirm(connection, step, now())),
  force: (step) => connection.atomically(() => force(connection, step, now())),
  checkGate: (project, skill) =>
    checkGate(connection, { phase: currentPhase(connection, project), skill }),
  bypass: (bypass) => connection.atomically(() => bypassGate(connection, bypass, now())),
  history(project) {
    currentPhase(connection, project);
    return readEvents(connection, project);
  },
  bypasses(project) {
    currentPhase(connection, project);
    return readBypasses(connection, project);
  },
});

function advance(
  connection: Connection,
  { project, from, to, agent, detail }: PhaseAdvance,
  created_at: string,
): PhaseEvent | null {
  const phase = phaseNamed(connection, to);
  if (currentPhase(connection, project) !== from) return null;
  const legal = nextPhases(connection, from);
  if (!legal.includes(phase)) throw illegalPhase(from, phase, legal);
  const move = { project, from_phase: from, phase, updated_at: created_at };
  if (!moveProject(connection, move)) return null;
  return bookEvent(connection, {
    ...{
      project,
      kind: 'advance',
      from_phase: from,
      to_phase: phase,
      agent,
      detail: detail ?? null,
    },
    ...{ bypass_id: null, created_at },
  });
}

function confirm(
  connection: Connection,
  { project, phase, agent, detail }: ConfirmedPhase,
  created_at: string,
): PhaseEvent | null {
  if (currentPhase(connection, project) !== phase) return null;
  const came = readEvents(connection, project).findLast(({ kind }) => kind !== 'bypass');
  if (came && came.detail !== null) return null;
  return bookEvent(connection, {
    ...{ project, kind: 'advance', from_phase: phase, to_phase: phase, agent, detail },
    ...{ bypass_id: null, created_at },
  });
}

function force(
  connection: Connection,
  { project, to, agent, reason, detail }: ForcedPhase,
  created_at: string,
): PhaseEvent {
  const to_phase = phaseNamed(connection, to);
  const from_phase = currentPhase(connection, project);
  const step = { project, from_phase, to_phase, agent, created_at };
  const { id: bypass_id } = bookBypass(connection, { ...step, skill: null, reason });
  moveProject(connection, { project, from_phase, phase: to_phase, updated_at: created_at });
  return bookEvent(connection, { ...step, kind: 'force', detail: detail ?? null, bypass_id });
}
