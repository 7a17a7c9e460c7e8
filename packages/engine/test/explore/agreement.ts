import type { RunState } from '../../src/index.ts';
import type { Outline } from './outline.ts';
import type { Seen, Witness } from './witness.ts';

/** Where the fold and the witness of the same facts disagree. */
export function* disagreements(
  state: RunState,
  witness: Witness,
  outline: Outline,
): Generator<string> {
  for (const [id, seen] of witness.tasks) {
    const task = state.tasks.get(id);
    if (!task) {
      yield `the fold has no ${id}`;
      continue;
    }
    const phase = phaseOf(seen);
    if (task.phase !== phase) yield `${id} is ${task.phase} in the fold and ${phase} by the facts`;
    if (task.attempts !== seen.charged)
      yield `${id} has ${task.attempts} attempts in the fold, ${seen.charged} by the facts`;
    if ((task.replied !== undefined) !== seen.replied)
      yield `${id} has replied by one account only`;
    if (seen.live > 0 && (task.checks?.size ?? 0) !== seen.checks)
      yield `${id} is past ${task.checks?.size} checks, by the facts past ${seen.checks}`;
    const ownRow = outline.ended.has(id);
    const due = (seen.end === 'abandoned' || seen.end === 'held') && !ownRow ? 1 : 0;
    if (seen.escalations !== due) yield `${id} has ${seen.escalations} escalations, due ${due}`;
    if (seen.lost && !state.lostUpstream.has(id)) yield `the fold does not know that ${id} is lost`;
  }
  if (state.dispatches !== witness.dispatches) yield 'the dispatches are counted wrongly';
  if ((state.paused?.kind ?? '') !== witness.paused)
    yield `${witness.paused || 'going on'} by the facts`;
  if ((state.verdict ?? '') !== witness.verdict)
    yield `the verdict by the facts: ${witness.verdict}`;
  const raised = [...witness.tasks.values()].reduce(
    (sum, { escalations }) => sum + escalations,
    witness.parkings,
  );
  if (state.escalations.length !== raised) yield 'the escalations are counted wrongly';
  if (state.undelivered.size > raised) yield 'more escalations are owed than were raised';
  yield* waveDisagreements(state, witness, outline);
}

function* waveDisagreements(
  { wave }: RunState,
  { tasks, openWave, integrating }: Witness,
  { waves }: Outline,
): Generator<string> {
  if ((wave?.index ?? -1) !== openWave)
    yield `wave ${wave?.index} is open, by the facts ${openWave}`;
  if (!wave) return;
  const under = [...(wave.integrating ?? [])].sort().join();
  if (under !== [...integrating].sort().join()) yield `integrated is ${under}`;
  const ids = waves[wave.index] ?? [];
  const of = (...phases: readonly string[]) =>
    ids
      .filter((id) => phases.includes(phaseOf(tasks.get(id))))
      .sort()
      .join();
  const keys = (set: ReadonlySet<string>) => [...set].sort().join();
  if (keys(wave.running) !== of('running')) yield `running is ${keys(wave.running)}`;
  if (keys(wave.accepted) !== of('accepted')) yield `accepted is ${keys(wave.accepted)}`;
  if (keys(wave.terminal) !== of('complete', 'abandoned', 'held'))
    yield `terminal is ${keys(wave.terminal)}`;
  if (keys(wave.outstanding) !== of('pending', 'running', 'reviewing', 'accepted'))
    yield `outstanding is ${keys(wave.outstanding)}`;
}

function phaseOf(seen: Seen | undefined): string {
  if (!seen) return 'unknown';
  if (seen.end !== '') return seen.end;
  if (seen.live > 0) return 'running';
  if (seen.requested > 0) return 'reviewing';
  return seen.accepted > 0 ? 'accepted' : 'pending';
}
