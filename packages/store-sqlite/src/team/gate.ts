import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { bookBypass, bookEvent, type PhaseBypass } from './phase-history.ts';
import { currentPhase } from './project-phase.ts';

/** Whether a procedure may begin in the phase that a project is in. */
export interface GateAnswer {
  readonly allowed: boolean;
  readonly currentPhase: string;
  /** The phase to bring about first; null where none is asked for. */
  readonly requiredPhase: string | null;
  /** Every phase in which the procedure may begin or go on. */
  readonly acceptedPhases: readonly string[];
  readonly reason: string;
}

/** That a procedure is let through though its gate is shut. */
export interface GateBypass {
  readonly project: string;
  readonly skill: string;
  readonly agent: string;
  readonly reason: string;
}

interface OfSkill {
  readonly skill: string;
}

const gateOf = statement((tables, slot: Slot<OfSkill>) =>
  tables.selectFrom('skill_gates').select('required_phase').where('skill', '=', slot('skill')),
);

const acceptedBy = statement((tables, slot: Slot<OfSkill>) =>
  tables
    .selectFrom('skill_gate_phases')
    .innerJoin('phases', 'phases.name', 'skill_gate_phases.phase')
    .select('phases.name')
    .where('skill_gate_phases.skill', '=', slot('skill'))
    .orderBy('phases.position'),
);

/** Asks the gate of a procedure. One without a gate may always begin. */
export function checkGate(
  connection: Connection,
  { phase, skill }: { readonly phase: string; readonly skill: string },
): GateAnswer {
  const required = requiredBy(connection, skill);
  if (required === null)
    return {
      ...{ allowed: true, currentPhase: phase, requiredPhase: null, acceptedPhases: [] },
      reason: `${printable(skill, 60)} has no gate`,
    };
  const acceptedPhases = connection.rows(acceptedBy, { skill }).map(({ name }) => name);
  const allowed = acceptedPhases.includes(phase);
  return {
    ...{ allowed, currentPhase: phase, requiredPhase: required, acceptedPhases },
    reason: allowed
      ? `${skill} may begin at ${phase}`
      : `${skill} needs ${required}, and the project is at ${phase}`,
  };
}

/** Books a bypass and its place in the history, in the caller's transaction. The project stays where it is. */
export function bypassGate(
  connection: Connection,
  { project, skill, agent, reason }: GateBypass,
  created_at: string,
): PhaseBypass {
  const from_phase = currentPhase(connection, project);
  const to_phase = requiredBy(connection, skill);
  if (to_phase === null) throw noSuchGate(skill);
  const step = { project, from_phase, to_phase, agent, created_at };
  const bypass = bookBypass(connection, { ...step, skill, reason });
  bookEvent(connection, { ...step, kind: 'bypass', detail: null, bypass_id: bypass.id });
  return bypass;
}

function requiredBy(connection: Connection, skill: string): string | null {
  const [gate] = connection.rows(gateOf, { skill });
  return gate?.required_phase ?? null;
}

const noSuchGate = (skill: string): StoreError =>
  new StoreError(
    'STORE_NO_SUCH_GATE',
    `${printable(skill, 60)} has no gate to go through`,
    'Nothing was written. It may begin in any phase.',
  );
