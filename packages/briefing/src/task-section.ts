import type { BriefedTask, BriefingInput } from './briefing-input.ts';
import { fence, fenceNames } from './fence.ts';

/** What the task is: its paths, the work, and what must hold at its end. The same for every attempt of it. */
export function taskSection({ task, review }: Pick<BriefingInput, 'task' | 'review'>): string {
  const { id, title, description, acceptance, verify } = task;
  const isReview = review !== undefined;
  return [
    '# Your task\n',
    fenceNames('task_id', [id]),
    ...(title === undefined ? [] : [fence('title', title)]),
    ...paths(isReview ? asReader(task) : task),
    ...(description === undefined ? [] : ['The work:', fence('description', description)]),
    ...(acceptance === undefined ? [] : ['It is accepted when:', fence('acceptance', acceptance)]),
    ...(verify === undefined || isReview
      ? []
      : [
          'The host then runs this command on your work; it must succeed:',
          fence('verify', verify),
        ]),
  ].join('\n');
}

/** A reviewer is handed the work of another: what it would produce itself is neither wanted nor checked. */
const asReader = ({ must_produce: _, ...task }: BriefedTask): BriefedTask => ({
  ...task,
  writes: [],
});

function* paths({
  writes,
  must_produce: produced = [],
  reads = [],
}: BriefedTask): Generator<string> {
  if (writes === undefined) {
    yield 'You may write any file of the project but protected ones; something must change.';
  } else if (writes.length === 0) {
    yield 'You may write nothing: any change fails the attempt. As artifacts, list the files you looked at.';
  } else {
    yield 'You may write only these paths and patterns; any other change fails the attempt:';
    yield fenceNames('writes', writes);
  }
  if (produced.length > 0) {
    yield 'These must exist and have changed when you are done:';
    yield fenceNames('must_produce', produced);
  }
  if (reads.length > 0) {
    yield 'It builds on these:';
    yield fenceNames('reads', reads);
  }
}
