/**
 * How long a seam may take before it counts as hanging, in milliseconds. They bound what the wall clock
 * does not, so that a run ends whatever its seams do.
 */
export const BOUNDS: {
  /** One confirming read. */
  readonly peekMs: number;
  /** Ending a worker and all its children. */
  readonly stopMs: number;
  /** The report of a worker that is gone. */
  readonly reportMs: number;
  /** One answer of the gate. */
  readonly gateMs: number;
  /** Finding out whether a task was done before. */
  readonly recallMs: number;
  /** One batch of the journal. */
  readonly journalMs: number;
  /** Finding a worker of an earlier host again. */
  readonly adoptMs: number;
  /** One try to hand an escalation over. */
  readonly sinkMs: number;
  /** What is still on its way to the sink when the run is over. */
  readonly deliveryMs: number;
  /** Tidying up after an attempt, and the wait for it when the run is over. */
  readonly releaseMs: number;
} = Object.freeze({
  peekMs: 10_000,
  stopMs: 60_000,
  reportMs: 5_000,
  gateMs: 30_000,
  recallMs: 30_000,
  journalMs: 60_000,
  adoptMs: 30_000,
  sinkMs: 60_000,
  deliveryMs: 5_000,
  releaseMs: 60_000,
});
