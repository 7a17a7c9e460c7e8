/** One name that a run has, or had, in the chat. */
export interface IdentityRecord {
  readonly role: string;
  /** The chat's own choice: a role whose name was ever used gets a suffix. */
  readonly assignedName: string;
  readonly channel: string;
  /** `lost`: its session ended, and the name is still shown as active. `gone`: it is signed off, or not there. */
  readonly state: 'live' | 'gone' | 'lost';
}

/**
 * Where the names of a run are kept beyond the process, so that a later one can sign off what a killed one left.
 * Whatever it throws is swallowed and counted.
 */
export interface IdentityStore {
  /** Keeps a record, in place of the one with this name in this run. */
  save(runId: string, record: IdentityRecord): void;
  load(runId: string): readonly IdentityRecord[];
}

/** Keeps them as long as the process lives. */
export function memoryIdentities(): IdentityStore {
  const runs = new Map<string, Map<string, IdentityRecord>>();
  return {
    save(runId, record) {
      const run = runs.get(runId) ?? new Map<string, IdentityRecord>();
      runs.set(runId, run.set(record.assignedName, record));
    },
    load: (runId) => [...(runs.get(runId)?.values() ?? [])],
  };
}
