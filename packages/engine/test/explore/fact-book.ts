import type { RunFact } from '../../src/index.ts';
import { frozen } from './frozen.ts';

/** Every different fact once: as it was decided, and as a journal gives it back. */
export interface FactBook {
  /** The number of a fact. */
  enter(fact: RunFact): number;
  /** The first fact that was entered under the number. */
  decided(number: number): RunFact;
  stored(number: number): RunFact;
}

export function factBook(): FactBook {
  const numbers = new Map<string, number>();
  const facts: { readonly decided: RunFact; readonly stored: RunFact }[] = [];
  const at = (number: number) => {
    const fact = facts[number];
    if (!fact) throw new Error(`there is no fact ${number}`);
    return fact;
  };
  return {
    enter(fact) {
      const text = JSON.stringify(fact);
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, facts.length);
      facts.push({ decided: frozen(fact), stored: frozen(JSON.parse(text) as RunFact) });
      return facts.length - 1;
    },
    decided: (number) => at(number).decided,
    stored: (number) => at(number).stored,
  };
}
