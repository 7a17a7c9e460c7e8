import type { Persona } from './persona.ts';

/** A persona in parts. Every profile has the same sections, in the same order. */
export interface ProfileParts extends Omit<Persona, 'profile'> {
  readonly background: string;
  readonly expertise: string;
  readonly responsibilities: readonly string[];
  readonly worksWith: string;
  readonly doesNot: readonly string[];
  readonly communication: string;
}

export const personaFrom = ({ id, name, role, ...parts }: ProfileParts): Persona =>
  Object.freeze({
    ...{ id, name, role },
    profile: [
      `Background: ${parts.background}`,
      `Expertise: ${parts.expertise}`,
      `Responsibilities:\n${list(parts.responsibilities)}`,
      `Works with: ${parts.worksWith}`,
      `Does not:\n${list(parts.doesNot)}`,
      `Communication style: ${parts.communication}`,
    ].join('\n\n'),
  });

const list = (points: readonly string[]): string => points.map((point) => `- ${point}`).join('\n');
