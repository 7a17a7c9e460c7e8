import { printable } from '@atelier/envelope';
import { commandOf } from '../needs-shell.ts';
import { outputTail } from '../output-tail.ts';
import { runOn } from '../run-on.ts';
import { failureOf } from '../shell.ts';
import type { StageEnd, Subject } from './subject.ts';

/**
 * The task’s own command, run on the saved work in a fresh folder: what the worker left beside it is not merged, and
 * proves nothing. Whatever keeps it from passing is a refusal.
 */
export async function verify(subject: Subject): Promise<StageEnd> {
  const { task, changeSet, workspace, shell, commandMs, signal } = subject;
  const command = commandOf(task.verify);
  if (command === undefined) return { kind: 'void' };
  if (!shell) return refuse('could not be run: this host was given no shell for it');
  const end = await runOn(changeSet.commit ?? changeSet.base, {
    ...{ command, shell, workspace, timeoutMs: commandMs, signal },
  });
  signal.throwIfAborted();
  const failure = failureOf(end, commandMs);
  if (failure === undefined) return { kind: 'passed' };
  return end.kind === 'failed'
    ? refuse(`${failure}: ${printable(end.detail)}`)
    : refuse(failure, outputTail(end.output));
}

const refuse = (failure: string, findings = ''): StageEnd => ({
  kind: 'refused',
  cause: 'verify',
  detail: `verify ${failure}`,
  ...(findings === '' ? {} : { findings }),
});
