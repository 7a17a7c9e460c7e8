import type { Sandbox } from '../sandbox.ts';

/** What the self-test has to know of the walls it tries. */
export interface Tested {
  readonly kind: Sandbox['kind'];
  readonly wrap: Sandbox['wrap'];
  /** Programs inside may make user namespaces; then these must gain nothing. */
  readonly nestable: boolean;
  /** Where the bound socket appears; at its own path when absent. */
  readonly socketInside?: string;
}
