import type { ConformanceCase } from './conformance-case.ts';
import { ADOPTION_CASES } from './transport/adoption.ts';
import { EXTRA_CASES } from './transport/extras.ts';
import { IDENTITY_CASES } from './transport/identities.ts';
import { REPLY_CASES } from './transport/replies.ts';
import { STOP_CASES } from './transport/stops.ts';
import type { TransportFixture } from './transport/transport-fixture.ts';

/** One promise of a `Transport`. */
export type TransportCase = ConformanceCase<TransportFixture>;

/** The promises of `Transport` and `AttemptHandle`: each name is the clause it holds a transport to. */
export const transportConformance: readonly TransportCase[] = [
  ...REPLY_CASES,
  ...STOP_CASES,
  ...IDENTITY_CASES,
  ...EXTRA_CASES,
  ...ADOPTION_CASES,
];
