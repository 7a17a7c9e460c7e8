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
  /** Adds a persona unless its id is there already, in one step; gives the one that is there. */
  add(persona: ApprovedPersona): ApprovedPersona;
  list(): readonly ApprovedPersona[];
}

/** Keeps them as long as the process lasts. */
export function memoryApprovedPersonas(): ApprovedPersonas {
  const kept = new Map<string, ApprovedPersona>();
  return {
    add(persona) {
      const there = kept.get(persona.id);
      if (there) return there;
      kept.set(persona.id, persona);
      return persona;
    },
    list: () => [...kept.values()],
  };
}
