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
}

/** How a kind of model API is spoken. Pure and total: what it is given comes from outside. */
export interface Dialect {
  /** Where below the base URL a request belongs; undefined for everything but the model endpoint. */
  pathOf(target: string): string | undefined;
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
