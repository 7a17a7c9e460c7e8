import type { Connection } from '../connection.ts';
import { type ApprovedRoster, approvedRoster } from './approved-roster.ts';
import { type TeamLedger, teamLedger } from './ledger.ts';
import { type Outcomes, outcomes } from './outcomes.ts';
import { type Phases, phaseBook } from './phases.ts';
import { type TeamRegistry, teamRegistry } from './registry.ts';
import type { SendOptions } from './send.ts';
import { type Shutdowns, shutdowns } from './shutdown.ts';
import { type TeamWire, teamWire } from './wire.ts';

/**
 * What is kept around the runs. It is written for its own sake: no event of a run tells of it, and nothing of a run
 * follows from it. Each call is one transaction.
 */
export interface TeamStore {
  readonly teams: TeamRegistry;
  readonly wire: TeamWire;
  readonly shutdowns: Shutdowns;
  readonly ledger: TeamLedger;
  readonly roster: ApprovedRoster;
  readonly phases: Phases;
  readonly outcomes: Outcomes;
}

export interface TeamOptions extends SendOptions {
  /** Stamps its rows. */
  readonly now: () => Date;
}

/** The team's part of a store. */
export function teamStore(
  connection: Connection,
  { now, refThresholdBytes }: TeamOptions,
): TeamStore {
  const stamp = () => now().toISOString();
  return {
    teams: teamRegistry(connection, stamp),
    wire: teamWire(connection, stamp, { refThresholdBytes }),
    shutdowns: shutdowns(connection, stamp),
    ledger: teamLedger(connection, stamp),
    roster: approvedRoster(connection, stamp),
    phases: phaseBook(connection, stamp),
    outcomes: outcomes(connection, stamp),
  };
}
