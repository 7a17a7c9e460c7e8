import type { Confinement } from '@atelier/cli-transport';
import { platformSandbox, type Sandbox } from '@atelier/sandbox';

let known: Promise<Sandbox> | undefined;

/** The walls of this machine, proved once for all benches of a process. Rejects where they do not hold. */
export function walls(): Promise<Sandbox> {
  known ??= prove();
  return known;
}

/** Proved walls as a transport takes them. */
export const behindWalls = async (): Promise<Confinement> => ({
  kind: 'sandboxed',
  wrap: await walls(),
});

/** No walls: for what is not measured. */
export const ATTESTED: Confinement = {
  kind: 'attested-host',
  attestedBy: 'ATELIER_CLI_ALLOW_UNSANDBOXED=1',
};

async function prove(): Promise<Sandbox> {
  const sandbox = platformSandbox();
  const test = await sandbox.selfTest();
  if (!test.passed) throw new Error('the sandbox did not pass its self-test');
  return sandbox;
}
