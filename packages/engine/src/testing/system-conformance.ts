import type { ConformanceCase } from './conformance-case.ts';
import { CRASH_CASES } from './system/crashes.ts';
import { ENDING_CASES } from './system/endings.ts';
import type { SystemFixture } from './system/system-fixture.ts';

/** One promise of a whole run. */
export type SystemCase = ConformanceCase<SystemFixture>;

/** The promises of `run` that hold over any transport and any journal: whole runs, crashes of the host among them. */
export const systemConformance: readonly SystemCase[] = [...ENDING_CASES, ...CRASH_CASES];
