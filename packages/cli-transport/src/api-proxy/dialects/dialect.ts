import type { Usage } from '@atelier/engine';
import { ANTHROPIC } from './anthropic.ts';
import { OPENAI } from './openai.ts';

export type DialectName = 'anthropic' | 'openai';

/** What one record of an answer tells of its cost. */
interface Told {
  /** As known now for the whole answer; takes the place of what earlier records said. */
  readonly usage: Usage;
  /** Bytes of text that this record adds to what the model has written. */
  readonly written: number;
  /** After it the usage does not change any more. */
  readonly isLast: boolean;
}

/** What a request asks for. */
export interface Asked {
  readonly model: string | undefined;
  /** Its answer comes while it is made. */
  readonly streams: boolean;
  /** The most that the model may write for it, in tokens, if it says so. */
  readonly maxOutput: number | undefined;
  /** Bytes of the body that are images and documents, which cost less than texts of that length. */
  readonly embedded: number;
}

/** How a kind of model API is spoken. Pure and total: what it is given comes from outside. */
export interface Dialect {
  /** Where below the base URL a request belongs; undefined for everything but the model endpoint. */
  pathOf(target: string): string | undefined;
  /** Whether a client's header, in lower case, belongs to a request: none that chooses an account or a credential. */
  isHeader(name: string): boolean;
  /**
   * Why a request is not one that a worker may make, in words for it; undefined when it is. What the provider would run,
   * fetch, keep or bill otherwise than by tokens is refused, and so is what is not known here.
   */
  objection(body: unknown): string | undefined;
  asked(body: unknown): Asked;
  /** Whether a worker that was given one model may ask for another one. */
  isWithin(asked: string, given: string): boolean;
  /** Of one parsed record of an event stream. */
  told(record: unknown): Told;
  /** Of an answer that is one JSON value. */
  usageOf(answer: unknown): Usage;
  /** The body of an error answer, so that programs class it right. */
  errorBody(status: number, message: string): unknown;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = Object.freeze({
  anthropic: ANTHROPIC,
  openai: OPENAI,
});
