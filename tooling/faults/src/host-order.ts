import type { Attestation } from '@atelier/cli-transport';
import type { KillPoint, Spawned } from './kill-point.ts';
import type { Place } from './scene.ts';

/** What a host process is told, as its only argument, in JSON. */
export interface HostOrder {
  readonly place: Place;
  readonly point?: KillPoint;
  /** What the walls of this machine were found to hold, by whoever starts the hosts. */
  readonly attestation: Attestation;
}

/** What a host process says, one line of JSON each. */
export type HostLine =
  /** Its run begins. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended'; readonly verdict: string; readonly passed: readonly Passed[] }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** One boundary that a host came by: a batch of events with these labels, a start, or a report. */
export type Passed =
  | { readonly kind: 'append'; readonly labels: readonly string[] }
  | { readonly kind: 'spawn'; readonly of: Spawned }
  | { readonly kind: 'report' };
