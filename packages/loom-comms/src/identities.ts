import type { IdentityRecord, IdentityStore } from './identity-store.ts';

/** A name with the session that speaks for it. */
export interface Identity {
  readonly role: string;
  readonly assignedName: string;
  readonly session: string;
  readonly joined: boolean;
}

/** Who speaks for this run, and every name that it ever had. */
export interface Identities {
  /** The one that speaks for a role now. */
  of(role: string): Identity | undefined;
  speaking(): readonly Identity[];
  /** Names without a session that may still be shown as active, oldest first. */
  orphans(): readonly string[];
  put(identity: Identity): void;
  /** It speaks no more. `gone` where its name is signed off or not there, `lost` where the name stays behind. */
  drop(role: string, state: 'gone' | 'lost'): void;
  /** A name without a session is signed off. */
  buried(assignedName: string): void;
}

export function identities(options: {
  readonly runId: string;
  readonly channel: string;
  readonly store: IdentityStore;
  /** Told when the store fails. */
  readonly onUnrecorded: () => void;
}): Identities {
  const { runId, channel, store, onUnrecorded } = options;
  const speaking = new Map<string, Identity>();
  const orphans = new Map<string, string>();

  const save = (record: Omit<IdentityRecord, 'channel'>) => {
    try {
      store.save(runId, { ...record, channel });
    } catch {
      onUnrecorded();
    }
  };
  try {
    // Whoever wrote these is dead, and their sessions can not be reclaimed.
    for (const { role, assignedName, state } of store.load(runId))
      if (state !== 'gone') orphans.set(assignedName, role);
  } catch {
    onUnrecorded();
  }

  return {
    of: (role) => speaking.get(role),
    speaking: () => [...speaking.values()],
    orphans: () => [...orphans.keys()],
    put(identity) {
      const known = speaking.get(identity.role)?.assignedName === identity.assignedName;
      speaking.set(identity.role, identity);
      orphans.delete(identity.assignedName);
      const { role, assignedName } = identity;
      if (!known) save({ role, assignedName, state: 'live' });
    },
    drop(role, state) {
      const identity = speaking.get(role);
      if (!identity) return;
      speaking.delete(role);
      if (state === 'lost') orphans.set(identity.assignedName, role);
      save({ role, assignedName: identity.assignedName, state });
    },
    buried(assignedName) {
      const role = orphans.get(assignedName);
      if (role === undefined) return;
      orphans.delete(assignedName);
      save({ role, assignedName, state: 'gone' });
    },
  };
}
