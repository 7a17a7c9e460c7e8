/** Who speaks when: each member once a round, in the order given; the chair opens and closes. */
export function* speakingOrder(
  members: readonly string[],
  rounds: number,
): Generator<{ readonly round: number; readonly speaker: string; readonly last: boolean }> {
  for (let round = 1; round <= rounds; round += 1)
    for (const [place, speaker] of members.entries())
      yield { round, speaker, last: place === members.length - 1 };
}
