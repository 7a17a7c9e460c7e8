import type { Sandbox, SelfTest } from './sandbox.ts';
import { runSelfTest } from './self-test/run-self-test.ts';
import type { Tested } from './self-test/tested.ts';

/** A sandbox over a way to wrap: its self-test runs once, and only it can attest to its own. */
export function attesting(tested: Tested): Sandbox {
  let running: Promise<SelfTest> | undefined;
  let last: SelfTest | undefined;
  return Object.freeze({
    kind: tested.kind,
    wrap: tested.wrap,
    selfTest: () => {
      running ??= runSelfTest(tested).then((test) => {
        last = test;
        return test;
      });
      return running;
    },
    attestation: () => (last?.pid === process.pid ? last : undefined),
  });
}
