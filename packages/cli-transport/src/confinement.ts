import type { CommandWrap } from './command-wrap.ts';
import type { FakeRunner } from './fake-runner.ts';

/** Every worker runs behind walls that have been tried. */
export interface Sandboxed {
  readonly kind: 'sandboxed';
  readonly wrap: CommandWrap;
}

/** Someone answers for a machine that is confined as a whole, such as a throwaway container. */
export interface AttestedHost {
  readonly kind: 'attested-host';
  /** Who said so and how, for the record; not blank. */
  readonly attestedBy: string;
}

/** What stands between a worker and the machine. */
export type Confinement = Sandboxed | AttestedHost | FakeRunner;
