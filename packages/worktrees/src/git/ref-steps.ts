import type { Dialogue } from './kept-git.ts';

/** A ref is to be at one commit where it was at another; a name of zeros stands for one that is not there. */
export interface RefStep {
  readonly ref: string;
  readonly to: string;
  readonly from: string;
}

/** Moves refs one by one, for good. One that is not where it was to be is the end of that git. */
export const refSteps = (why: string): Dialogue<RefStep, true> => ({
  command: ['update-ref', '-m', why, '--stdin'],
  lasting: 'each',
  textOf: ({ ref, to, from }) =>
    `start\noption no-deref\nupdate ${ref} ${to} ${from}\nprepare\ncommit\n`,
  read: (bytes) =>
    bytes.length < ANSWER.length
      ? { kind: 'partial', wanted: ANSWER.length }
      : { kind: 'whole', answer: assertDone(bytes), used: ANSWER.length },
});

const ANSWER = 'start: ok\nprepare: ok\ncommit: ok\n';

function assertDone(bytes: Buffer): true {
  if (bytes.toString('latin1', 0, ANSWER.length) !== ANSWER) throw new Error('it did not move it');
  return true;
}
