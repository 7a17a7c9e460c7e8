import { type Clock, systemClock } from '../shell/clock.ts';
import { type Patience, patience } from './patience.ts';

/** One promise of a seam, for any test runner: its name is the clause that it holds an implementation to. */
export interface ConformanceCase<Fixture> {
  readonly name: string;
  /** Why the case says nothing of such a fixture; undefined when it applies. */
  leftOut(fixture: Fixture): string | undefined;
  /**
   * Opens a fixture, closes it, and rejects when the promise is broken. A case that does not apply calls `leaveOut`
   * with the reason, which is for the runner's own way to skip, so that no report counts it as kept.
   */
  run(open: Open<Fixture>, leaveOut: (why: string) => void): Promise<void>;
}

/** Makes a fresh fixture that shares nothing with another one. */
export type Open<Fixture> = () => Fixture | Promise<Fixture>;

/** What the fixtures of every kit may say. */
export interface AnyFixture {
  /**
   * The time that the implementation lives in; the machine's when absent. One that can be driven, such as
   * `manualClock()`, is driven.
   */
  readonly clock?: Clock & { runUntil?<T>(promise: Promise<T>): Promise<T> };
  /** How long anything may take before it counts as hanging, in milliseconds; 30,000 when absent. */
  readonly patienceMs?: number;
  /** Called once, whatever the case came to; leaves nothing running. */
  close(): void | Promise<void>;
}

interface Draft<Fixture> {
  readonly name: string;
  readonly leftOut?: (fixture: Fixture) => string | undefined;
  readonly prove: (fixture: Fixture, wait: Patience, open: Open<Fixture>) => Promise<void>;
}

export const conformanceCase = <Fixture extends AnyFixture>({
  name,
  leftOut = () => undefined,
  prove,
}: Draft<Fixture>): ConformanceCase<Fixture> => ({
  name,
  leftOut,
  run: (open, leaveOut) =>
    withFixture(open, async (fixture, wait) => {
      const why = leftOut(fixture);
      if (why === undefined) await prove(fixture, wait, open);
      else leaveOut(why);
    }),
});

/** The cases of a kit that apply to a fixture, and those that do not, with the reason. */
export interface Selection<Fixture> {
  readonly cases: readonly ConformanceCase<Fixture>[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

/** Tells beforehand, on a fixture of its own, which cases apply: for suites in which nothing is skipped. */
export async function casesFor<Fixture extends AnyFixture>(
  kit: readonly ConformanceCase<Fixture>[],
  open: Open<Fixture>,
): Promise<Selection<Fixture>> {
  const fixture = await open();
  try {
    const judged = kit.map((one) => ({ one, why: one.leftOut(fixture) }));
    return {
      cases: judged.flatMap(({ one, why }) => (why === undefined ? [one] : [])),
      leftOut: judged.flatMap(({ one, why }) =>
        why === undefined ? [] : [{ name: one.name, why }],
      ),
    };
  } finally {
    await fixture.close();
  }
}

/** Does something with a fixture, in its own time, and closes it. */
export async function withFixture<Fixture extends AnyFixture, T>(
  open: Open<Fixture>,
  use: (fixture: Fixture, wait: Patience) => Promise<T>,
): Promise<T> {
  const fixture = await open();
  const { clock = systemClock, patienceMs = 30_000 } = fixture;
  try {
    const used = use(fixture, patience(clock, patienceMs));
    return await (fixture.clock?.runUntil?.(used) ?? used);
  } finally {
    await fixture.close();
  }
}
