import { type RunEvent, taskKey } from '@atelier/engine';
import type { Execution } from './executions.ts';
import { MOST_ATTEMPTS } from './plan.ts';

/** What an attempt is called, in findings and to compare. */
export const nameOfAttempt = (taskId: string | number, attempt: number): string =>
  `${taskKey(taskId)}#${attempt}`;

/** Attempts that were executed or charged again, and executions beside another of their task. */
export function doubledAttempts(
  executions: readonly Execution[],
  charged: readonly string[],
): string[] {
  const executed = executions.map(({ taskId, attempt }) => nameOfAttempt(taskId, attempt));
  return [
    ...repeated(executed).map((name) => `${name} was executed again`),
    ...repeated(charged).map((name) => `${name} was charged again`),
    ...executions
      .filter(({ beside }) => beside)
      .map(({ taskId, attempt }) => `${nameOfAttempt(taskId, attempt)} ran beside an earlier one`),
  ];
}

const repeated = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.indexOf(name) !== at);

/** Executions that nobody had charged, and tasks that went over their cap. */
export function overBudget(executions: readonly Execution[], charged: readonly string[]): string[] {
  const executed = executions.map(({ taskId, attempt }) => nameOfAttempt(taskId, attempt));
  const countOf = (names: readonly string[], id: string) =>
    names.filter((name) => name.startsWith(`${id}#`)).length;
  const ids = new Set(
    [...executed, ...charged].map((name) => name.slice(0, name.lastIndexOf('#'))),
  );
  return [
    ...executed
      .filter((name) => !charged.includes(name))
      .map((name) => `${name} was executed and never charged`),
    ...[...ids]
      .filter((id) => Math.max(countOf(executed, id), countOf(charged, id)) > MOST_ATTEMPTS)
      .map((id) => `${id} had more than ${MOST_ATTEMPTS} attempts`),
  ];
}

/**
 * Work that a later host has thrown away: executed attempts that were given up as lost, and replies that were handed in
 * and did not count. In these plans every reply is a good one.
 */
export function wastedAttempts(
  executions: readonly Execution[],
  events: readonly RunEvent[],
): string[] {
  const causes = new Map(
    events.flatMap((event) =>
      event.type === 'attempt.closed' && event.closure.kind === 'failed'
        ? [[nameOfAttempt(event.taskId, event.attempt), event.closure] as const]
        : [],
    ),
  );
  return executions.flatMap(({ taskId, attempt, finished }) => {
    const name = nameOfAttempt(taskId, attempt);
    const closure = causes.get(name);
    if (!closure || !(finished || closure.cause === 'lost')) return [];
    return [
      `${name} ${finished ? 'had replied' : 'was at work'}: ${closure.cause}, ${closure.detail}`,
    ];
  });
}
