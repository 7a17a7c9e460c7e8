import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { givenName } from './given.ts';
import { PHASE_CATALOGUE } from './phase-catalogue.ts';
import type { ProjectPhaseRow } from './schema.ts';

type ProjectName = Pick<ProjectPhaseRow, 'project'>;

const phaseOf = statement((tables, slot: Slot<ProjectName>) =>
  tables.selectFrom('project_phase').select('phase').where('project', '=', slot('project')),
);

const everyProject = statement((tables, _slot: Slot<object>) =>
  tables
    .selectFrom('project_phase')
    .select('project')
    .orderBy('updated_at', 'desc')
    .orderBy('project'),
);

const insertProject = statement((tables, slot: Slot<ProjectPhaseRow>) =>
  tables
    .insertInto('project_phase')
    .values({
      project: slot('project'),
      phase: slot('phase'),
      updated_at: slot('updated_at'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const movePhase = statement(
  (tables, slot: Slot<ProjectPhaseRow & { readonly from_phase: string }>) =>
    tables
      .updateTable('project_phase')
      .set({ phase: slot('phase'), updated_at: slot('updated_at') })
      .where('project', '=', slot('project'))
      .where('phase', '=', slot('from_phase')),
);

/** Where a project is; one that is new begins at the first phase, in the caller's transaction if there is one. */
export function startProject(connection: Connection, project: string, updated_at: string): string {
  const phase = PHASE_CATALOGUE.initial;
  connection.change(insertProject, { project: givenName(project, 'a project'), phase, updated_at });
  return currentPhase(connection, project);
}

/** The projects that have begun, the one that moved last before all others. */
export const startedProjects = (connection: Connection): readonly string[] =>
  connection.rows(everyProject, {}).map(({ project }) => project);

/** Where a project is. Throws `STORE_NO_SUCH_PROJECT` for one that never began. */
export function currentPhase(connection: Connection, project: string): string {
  const [row] = connection.rows(phaseOf, { project });
  if (row) return row.phase;
  throw new StoreError(
    'STORE_NO_SUCH_PROJECT',
    `there is no project ${printable(project)}`,
    'Nothing was written. Begin it with phases.start.',
  );
}

/** Moves a project on, unless it has left `from_phase` meanwhile: then `false`. */
export const moveProject = (
  connection: Connection,
  move: ProjectPhaseRow & { readonly from_phase: string },
): boolean => connection.change(movePhase, move) === 1;
