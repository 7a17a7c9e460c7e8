import type { Acceptance, AcceptedWork, Integration, Task } from '@atelier/engine';
import {
  acceptance,
  type GateNote,
  type MemoryWorkspace,
  memoryWorkspace,
  type Shell,
  type Workspace,
} from '../src/index.ts';
import { acceptedWork, journal, orderOf, replyOf, WAVE } from './attempts.ts';

/** Which tasks’ work is in some files, and whether that is green. */
export type Predicate = (tasks: ReadonlySet<string>) => boolean;

/** A file `task/ID` says that the task’s work is there. */
export const tasksIn = (files: ReadonlyMap<string, string> | undefined): Set<string> =>
  new Set([...(files?.keys() ?? [])].flatMap((path) => /^task\/(.*)$/.exec(path)?.[1] ?? []));

/** A shell whose only command asks the predicate about the files it is called in. */
function predicateShell(
  workspace: MemoryWorkspace,
  isGreen: Predicate,
): Shell & { readonly asked: string[] } {
  const asked: string[] = [];
  const shell: Shell = async ({ worktree }) => {
    const tasks = tasksIn(workspace.files(worktree));
    asked.push([...tasks].join(' '));
    return isGreen(tasks)
      ? { kind: 'exited', exitCode: 0, output: '' }
      : { kind: 'exited', exitCode: 1, output: `red with ${[...tasks].join(' ')}\n` };
  };
  return Object.assign(shell, { asked });
}

export interface WaveTask {
  readonly id: string;
  /** Further files that the task writes. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Played {
  readonly workspace: MemoryWorkspace;
  readonly accepted: readonly AcceptedWork[];
  readonly asked: string[];
  readonly notes: GateNote[];
  readonly checks: Acceptance;
  integrate(
    accepted?: readonly AcceptedWork[],
    signal?: AbortSignal,
  ): Promise<readonly Integration[]>;
}

/** Has tasks work and be accepted, ready to be integrated under a gate. */
export async function wave(
  tasks: readonly WaveTask[],
  isGreen: Predicate,
  around: (
    workspace: MemoryWorkspace,
    shell: Shell,
  ) => { workspace?: Workspace; shell?: Shell } = () => ({}),
): Promise<Played> {
  const workspace = memoryWorkspace({ 'shared.txt': 'base' });
  const own = predicateShell(workspace, isGreen);
  const notes: GateNote[] = [];
  const checks = acceptance({
    workspace,
    shell: own,
    gate: 'gate',
    commandMs: 60_000,
    onGate: (note) => notes.push(note),
    ...around(workspace, own),
  });
  const accepted: AcceptedWork[] = [];
  for (const { id, files = {} } of tasks) {
    const task: Task = { id };
    await workspace.work({ taskId: id, attempt: 1 }, { files: { [`task/${id}`]: id, ...files } });
    const verdict = await checks.accept(orderOf(task), replyOf(task), journal());
    if (verdict.kind !== 'accepted') throw new Error(verdict.detail);
    accepted.push(acceptedWork(task, verdict.evidence));
  }
  const remembered = journal();
  const integrate = async (
    work: readonly AcceptedWork[] = accepted,
    signal: AbortSignal = new AbortController().signal,
  ) => (await checks.integrate?.(WAVE, work, { ...remembered, signal })) ?? [];
  return { workspace, accepted, asked: own.asked, notes, checks, integrate };
}

/** Verdicts as `merged ID` or `cause ID`. */
export const summary = (results: readonly Integration[]): string[] =>
  results.map((result) =>
    result.kind === 'merged' ? `merged ${result.taskId}` : `${result.cause} ${result.taskId}`,
  );

/** No two of a pair are in. */
export const without =
  (...pairs: readonly (readonly [string, string])[]): Predicate =>
  (tasks) =>
    !pairs.some(([one, other]) => tasks.has(one) && tasks.has(other));
