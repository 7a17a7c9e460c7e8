import type { Access } from './access.ts';
import type { Command } from './command.ts';

/** One attempt to get out, or one thing that has to work inside. */
export interface Probe {
  readonly name: string;
  /** False when the wall gave way, and also when it could not be tried. */
  readonly held: boolean;
  /** What was seen, on one line. */
  readonly detail: string;
}

/** The outcome of really trying to get out. Deeply frozen. */
export interface SelfTest {
  /** Every probe held. */
  readonly passed: boolean;
  /** The process that tried; an attestation of another one does not count. */
  readonly pid: number;
  readonly kind: string;
  readonly probes: readonly Probe[];
}

/** Puts a command behind walls, and can attest that they hold on this host. */
export interface Sandbox {
  readonly kind: 'bwrap' | 'seatbelt';
  /**
   * The command that runs the given one confined. It has to be spawned with exactly its own `env`; its arguments end
   * with the given command, and its exit status is the given command's. Throws a `SandboxError`:
   * `SANDBOX_ACCESS`, `SANDBOX_GIT_POINTER` or `SANDBOX_PROGRAM`, each naming the path.
   */
  wrap(command: Command, access: Access): Command;
  /** Tries the walls once per sandbox object; later calls get the same result. Never rejects. */
  selfTest(): Promise<SelfTest>;
  /** The self-test of this very object in this process, once it is over. */
  attestation(): SelfTest | undefined;
}
