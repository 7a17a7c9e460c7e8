import type { BriefingInput } from './briefing-input.ts';

/** What a section is the same for: all tasks of a run, all attempts of a task, or one attempt. */
export type Scope = 'run' | 'task' | 'attempt';

interface Parts<Part> {
  readonly id: string;
  readonly scope: Scope;
  /** What it tells of; undefined where this briefing has no such section. */
  readonly when: (input: BriefingInput) => Part | undefined;
  readonly text: (part: Part) => string;
}

/** A piece of a briefing. It is chosen or left out as a whole, never cut out of a text afterwards. */
export interface Section {
  readonly id: string;
  readonly scope: Scope;
  /** Undefined where this briefing has no such section. */
  readonly render: (input: BriefingInput) => string | undefined;
}

/** A section whose text is made of what it is chosen for. */
export const section = <Part>({ id, scope, when, text }: Parts<Part>): Section => ({
  id,
  scope,
  render: (input) => {
    const part = when(input);
    return part === undefined ? undefined : text(part);
  },
});
