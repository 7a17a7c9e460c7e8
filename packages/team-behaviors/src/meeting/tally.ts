/** Where a participant stands. */
export type Stand = 'agree' | 'object' | 'abstain';

/** How a meeting stands. */
export interface Tally {
  readonly agree: readonly string[];
  readonly object: readonly string[];
  readonly abstain: readonly string[];
  /** Members who have not said where they stand. */
  readonly missing: readonly string[];
  /** Everybody has said, somebody agrees and nobody objects. */
  readonly consensus: boolean;
}

/** Counts where each member stands; the last word of each counts, and nobody else's. What follows is the caller's to say. */
export function tally(
  members: readonly string[],
  positions: readonly { readonly member: string; readonly stand: Stand }[],
): Tally {
  const last = new Map(positions.map(({ member, stand }) => [member, stand]));
  const those = (stand: Stand | undefined) =>
    members.filter((member) => last.get(member) === stand);
  const [agree, object, missing] = [those('agree'), those('object'), those(undefined)];
  return {
    ...{ agree, object, abstain: those('abstain'), missing },
    consensus: agree.length > 0 && object.length === 0 && missing.length === 0,
  };
}
