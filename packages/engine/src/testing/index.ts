export {
  type AnyFixture,
  type ConformanceCase,
  casesFor,
  type Open,
  type Selection,
} from './conformance-case.ts';
export {
  type JournalCase,
  type JournalFixture,
  journalConformance,
} from './journal-conformance.ts';
export { type Behaviour, type Part, partOf, replyOf } from './part.ts';
export { playedByBriefing } from './played-by-briefing.ts';
export type { Composition, SystemFixture } from './system/system-fixture.ts';
export { type SystemCase, systemConformance } from './system-conformance.ts';
export type { TransportFixture } from './transport/transport-fixture.ts';
export { type TransportCase, transportConformance } from './transport-conformance.ts';
