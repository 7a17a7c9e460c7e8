import { shown } from './quoted.ts';
import { PACKAGES } from './remedies.ts';
import type { SelfTest } from './sandbox.ts';

/**
 * Why no worker may run here, and the way out, for whoever refuses it: from a self-test that did not pass, from what was
 * thrown instead of a sandbox, or from undefined when nobody tested. One paragraph, safe for a terminal.
 */
export function describeRefusal(subject: unknown): string {
  if (isSelfTest(subject)) return ofTest(subject);
  if (subject instanceof Error) {
    const hint = 'hint' in subject && typeof subject.hint === 'string' ? ` ${subject.hint}` : '';
    return shown(`${subject.message}.${hint}`, LONGEST);
  }
  return `No self-test of a sandbox ran in this process. Await its selfTest() first. ${PACKAGES}`;
}

const LONGEST = 2000;

function ofTest({ kind, passed, probes }: SelfTest): string {
  const failed = probes.filter(({ held }) => !held);
  if (passed || failed.length === 0) return `The ${kind} self-test passed.`;
  const start = failed.find(({ name }) => name === 'runs-program');
  if (start) return shown(`The ${kind} self-test could not start: ${start.detail}`, LONGEST);
  const list = failed.map(({ name, detail }) => `${name} (${detail})`).join(', ');
  return `${shown(`The ${kind} self-test did not pass: ${list}.`, LONGEST)} ${ADVICE}`;
}

const ADVICE =
  'A probe that was not tried counts as a leak. Install what it names, or a newer bubblewrap (0.8 has every wall).';

const isSelfTest = (subject: unknown): subject is SelfTest =>
  typeof subject === 'object' &&
  subject !== null &&
  'probes' in subject &&
  Array.isArray(subject.probes) &&
  'kind' in subject;
