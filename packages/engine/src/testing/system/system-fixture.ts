import type { Journal } from '../../shell/journal.ts';
import type { Transport } from '../../shell/transport.ts';
import type { TransportFixture } from '../transport/transport-fixture.ts';

/** What a host of the suite is composed of. */
export interface Composition {
  readonly transport: Transport;
  readonly journal: Journal;
}

/** A transport and a journal that are put through whole runs; the journal is empty when it is handed over. */
export interface SystemFixture extends TransportFixture {
  readonly journal: Journal;
  /**
   * The same as of a transport, with a fresh journal over the same storage. Absent where nothing outlives a host; then
   * the stories of a crash are left out.
   */
  reopen?(): Composition | Promise<Composition>;
}
