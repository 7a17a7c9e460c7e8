import type { AttestedHost, Sandboxed } from '@atelier/cli-transport';
import { describeRefusal, platformSandbox } from '@atelier/sandbox';
import { HostError } from '../host-error.ts';

interface ConfineOptions {
  readonly allowUnsandboxed: boolean;
}

/**
 * The walls of this machine, tried just now. Where they do not hold, only the operator's explicit word lets
 * agents run: throws `UNSANDBOXED_REAL_RUN` with the fix otherwise.
 */
export async function confine({
  allowUnsandboxed,
}: ConfineOptions): Promise<Sandboxed | AttestedHost> {
  const failure = await tryWalls();
  if (typeof failure === 'object') return failure;
  if (allowUnsandboxed)
    return { kind: 'attested-host', attestedBy: 'ATELIER_CLI_ALLOW_UNSANDBOXED=1' };
  throw new HostError(
    'UNSANDBOXED_REAL_RUN',
    'agents are not run without a sandbox that has proved itself on this machine',
    failure,
  );
}

async function tryWalls(): Promise<Sandboxed | string> {
  try {
    const wrap = platformSandbox();
    const test = await wrap.selfTest();
    return test.passed ? { kind: 'sandboxed', wrap } : describeRefusal(test);
  } catch (error) {
    return describeRefusal(error);
  }
}
