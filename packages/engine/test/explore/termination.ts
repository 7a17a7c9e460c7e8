import type { Graph } from './graph.ts';
import { CRASH } from './move.ts';

type Moves = Pick<Graph, 'size' | 'eachMove'>;

/** The points where a run may come to rest: those with a verdict, and among them those that nothing can resume. */
export interface Ends {
  readonly verdict: ReadonlySet<number>;
  readonly final: ReadonlySet<number>;
}

interface Endless {
  readonly point: number;
  readonly what: string;
}

/**
 * Every run ends: between two crashes no point is met twice, only points with a verdict have nothing after them that
 * is sure to come, and from everywhere a final one can be reached. Yields where that is not so, with what is wrong there. A move
 * that leaves a run where it is counts for nothing.
 */
export function* endless(moves: Moves, ends: Ends): Generator<Endless> {
  const { size } = moves;
  const onward = { ...moves, eachMove: withoutCrashes(moves) };
  const left = new Uint32Array(size);
  const goesOn = new Uint8Array(size);
  onward.eachMove((from, _to, { unsure }) => {
    left[from] = (left[from] ?? 0) + 1;
    if (!unsure) goesOn[from] = 1;
  });
  for (let point = 0; point < size; point += 1)
    if (goesOn[point] === 0 && !ends.verdict.has(point))
      yield { point, what: 'nothing has to happen any more, and there is no verdict' };
  yield* rounds(onward, left);
  const reaches = reaching(moves, ends.final);
  for (let point = 0; point < size; point += 1)
    if (reaches[point] === 0) yield { point, what: 'no final verdict can be reached' };
}

const withoutCrashes =
  ({ eachMove }: Moves): Moves['eachMove'] =>
  (visit) =>
    eachMove((from, to, move) => {
      if (from !== to && move.label !== CRASH.label) visit(from, to, move);
    });

/** Takes away whatever surely ends, from the ends backwards; what is left leads to a round. */
function* rounds(moves: Moves, left: Uint32Array): Generator<Endless> {
  const before = backwards(moves);
  const ending: number[] = [];
  for (let point = 0; point < moves.size; point += 1) if (left[point] === 0) ending.push(point);
  let ended = 0;
  for (let point = ending.pop(); point !== undefined; point = ending.pop()) {
    ended += 1;
    for (const one of before[point] ?? []) {
      const rest = (left[one] ?? 0) - 1;
      left[one] = rest;
      if (rest === 0) ending.push(one);
    }
  }
  if (ended < moves.size) yield roundAmong(moves, left);
}

function roundAmong({ eachMove }: Moves, left: Uint32Array): Endless {
  const next = new Map<number, { readonly to: number; readonly label: string }>();
  eachMove((from, to, { label }) => {
    if (left[from] !== 0 && left[to] !== 0) next.set(from, { to, label });
  });
  let [point = 0] = next.keys();
  // Whoever takes as many steps as there are points is on a round for sure.
  for (let steps = 0; steps < next.size; steps += 1) point = next.get(point)?.to ?? point;
  const round = [point];
  for (let at = next.get(point); at && at.to !== point; at = next.get(at.to)) round.push(at.to);
  point = Math.min(...round);
  const labels: string[] = [];
  for (let at = next.get(point); at; at = at.to === point ? undefined : next.get(at.to))
    labels.push(at.label);
  return { point, what: `a run can go round for ever: ${labels.join('; ')}` };
}

function reaching(moves: Moves, goals: ReadonlySet<number>): Uint8Array {
  const before = backwards(moves);
  const reached = new Uint8Array(moves.size);
  const open = [...goals];
  for (let point = open.pop(); point !== undefined; point = open.pop()) {
    if (reached[point] === 1) continue;
    reached[point] = 1;
    for (const one of before[point] ?? []) open.push(one);
  }
  return reached;
}

function backwards({ size, eachMove }: Moves): number[][] {
  const before: number[][] = Array.from({ length: size }, () => []);
  eachMove((from, to) => before[to]?.push(from));
  return before;
}
