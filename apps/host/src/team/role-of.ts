import type { Task } from '@atelier/engine';
import { GENERIC_WORKER } from '@atelier/team-behaviors';

/** The role that does a task: whom it names, also where nobody knows them any more, or the worker without a speciality. */
export const roleOf = ({ assigned_persona, assigned_to }: Task): string =>
  assigned_persona ?? assigned_to ?? GENERIC_WORKER.id;
