/** A persona that a person let into the roster. */
export interface ApprovedPersona {
  readonly id: string;
  readonly profile: string;
  readonly teamId: string;
  readonly proposalId: number;
  readonly consentId: number;
  readonly approvedBy: string;
}

/** Where approved personas are kept. What can not be written throws. */
export interface ApprovedPersonas {
  /**
   * Adds a persona unless what came of its proposal is there already, in one step; gives the one that is there. An id may
   * have several, of proposals one after the other.
   */
  add(persona: ApprovedPersona): ApprovedPersona;
  list(): readonly ApprovedPersona[];
}

/** Keeps them as long as the process lasts. */
export function memoryApprovedPersonas(): ApprovedPersonas {
  const kept = new Map<string, ApprovedPersona>();
  return {
    add(persona) {
      const key = JSON.stringify([persona.id, persona.proposalId]);
      const there = kept.get(key);
      if (there) return there;
      kept.set(key, persona);
      return persona;
    },
    list: () => [...kept.values()],
  };
}
