import type { Task } from '@atelier/engine';

/** The command, or `undefined` when there is none worth running. */
export const commandOf = (text: unknown): string | undefined =>
  typeof text === 'string' && text.trim() !== '' ? text : undefined;

/** Whether these tasks or this gate have a command that only a shell can run: to be asked before any charge. */
export const needsShell = (tasks: readonly Pick<Task, 'verify'>[], gate?: string): boolean =>
  commandOf(gate) !== undefined || tasks.some(({ verify }) => commandOf(verify) !== undefined);
