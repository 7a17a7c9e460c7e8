import type { Transport, WorkOrder } from '../../shell/transport.ts';
import type { AnyFixture } from '../conformance-case.ts';
import type { Behaviour } from '../part.ts';

/** A transport under test, without workers when it is handed over. Each of its workers plays the part in its briefing. */
export interface TransportFixture extends AnyFixture {
  readonly transport: Transport;
  /** Parts that no worker of it can play; the cases that need one of them are left out. */
  readonly cannot?: readonly Behaviour[];
  /**
   * How many processes or jobs of this very attempt live, its worker's children included. Told from outside of the
   * transport. Absent where nobody can tell; then no case holds it to having ended anything.
   */
  alive?(order: WorkOrder): number | Promise<number>;
  /**
   * What a host has that comes after one that was killed: a fresh transport over the same workers. Needed where
   * `capabilities.adopt` is true.
   */
  reopen?(): Reopened | Promise<Reopened>;
}

interface Reopened {
  readonly transport: Transport;
}

/** What a case needs of a fixture, beside a transport. */
export interface Needs {
  readonly parts?: readonly Behaviour[];
  readonly alive?: true;
  readonly adopt?: true;
  readonly activity?: true;
  readonly release?: true;
}

/** Why a fixture does not have it. */
export function lackOf(
  { transport, cannot = [], alive, reopen }: TransportFixture,
  needs: Needs,
): string | undefined {
  const { capabilities, release } = transport;
  const part = needs.parts?.find((one) => cannot.includes(one));
  if (part !== undefined) return `its workers can not play ${part}`;
  if (needs.adopt && !capabilities.adopt) return 'it does not adopt';
  if (needs.adopt && !reopen) return 'it adopts, and the fixture has no reopen';
  if (needs.activity && !capabilities.activity) return 'it does not tell activity';
  if (needs.release && !release) return 'it has no release';
  if (!needs.alive) return undefined;
  if (capabilities.stop === 'detaches') return 'its stop ends nothing';
  return alive ? undefined : 'the fixture can not tell what lives';
}
