/** Who a worker is told to be. */
export interface Persona {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly role: string;
  /** What the worker is told, as Markdown. */
  readonly profile: string;
}

/** What an id looks like: short enough that a chat can add a number to it. */
export const PERSONA_ID: RegExp = /^[a-z][a-z0-9-]{1,61}$/u;
