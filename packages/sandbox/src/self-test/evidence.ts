import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ending } from './run-inside.ts';
import type { Scene } from './scene.ts';

/** One try of the script: how it ended and what it said. */
interface Try {
  readonly status: number;
  readonly said: string;
}

/** What there is to judge by: what the script tells, and before all what the host sees. */
export interface Evidence {
  readonly scene: Scene;
  readonly ending: Ending;
  readonly nestable: boolean;
  readonly supervised: { readonly ran: boolean; readonly gone: boolean };
  readonly survivorsGone: boolean;
  /** A try by name; undefined when the script did not get that far. */
  attempt(name: string): Try | undefined;
  /** A file on the host; empty when there is none. */
  file(...path: readonly string[]): string;
}

type Gathered = Omit<Evidence, 'attempt' | 'file'>;

export function evidence(gathered: Gathered): Evidence {
  const tries = triesOf(gathered.ending.output);
  return {
    ...gathered,
    attempt: (name) => tries.get(name),
    file: (...path) => {
      try {
        return readFileSync(join(...path), 'utf8');
      } catch {
        return '';
      }
    },
  };
}

const triesOf = (output: string): ReadonlyMap<string, Try> =>
  new Map(
    output.split('\0').flatMap((record) => {
      const [name, status, ...said] = record.split('\t');
      if (name === undefined || status === undefined) return [];
      return [[name, { status: Number(status), said: said.join(' ').trim() }] as const];
    }),
  );
