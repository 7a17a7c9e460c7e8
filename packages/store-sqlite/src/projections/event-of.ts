import type { RunEvent } from '@atelier/engine';

/** The event of one type. */
export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;
