import type { GoneName, IdentityRecord, IdentityStore, LeftNames } from '@atelier/loom-comms';
import type { AuditRow, TeamStore } from '@atelier/store-sqlite';

/** The names that runs have in a chat, kept in the ledgers of their teams. */
export interface ChatNames extends IdentityStore {
  /** What runs before this one may have left there, by channel: the newest, 200 names at most. */
  leftBefore(runId: string): readonly LeftNames[];
  /** Notes that names are not there any more. */
  forget(gone: readonly GoneName[]): void;
}

/** Rows that only keep account of the chat. */
export const CHAT_NAME = 'chat_name';

/** Each is a call to the chat. */
const MOST = 200;

/** Only for whoever holds the project: then every other run of it is dead. Each call may throw what the store throws. */
export function chatNames({ teams, ledger }: Pick<TeamStore, 'teams' | 'ledger'>): ChatNames {
  const put = (teamId: string, { role, assignedName, channel, state }: IdentityRecord) =>
    void ledger.append({
      teamId,
      eventType: CHAT_NAME,
      payload: { role, name: assignedName, channel, state },
    });

  const left = () =>
    [...newestOf(ledger.after(0, CHAT_NAME)).values()].filter(
      ({ record }) => record.state !== 'gone',
    );

  return {
    save: (runId, record) => put(teams.ofRun(runId)?.teamId ?? runId, record),
    load: (runId) => {
      const teamId = teams.ofRun(runId)?.teamId ?? runId;
      const rows = ledger.list({ teamId, eventType: CHAT_NAME });
      return [...newestOf(rows).values()].map(({ record }) => record);
    },
    leftBefore(runId) {
      const own = teams.ofRun(runId)?.teamId;
      const channels = new Map<string, string[]>();
      for (const { teamId, record } of left().slice(-MOST)) {
        if (teamId === own) continue;
        const names = channels.get(record.channel) ?? [];
        channels.set(record.channel, [...names, record.assignedName]);
      }
      return [...channels].map(([channel, names]) => ({ channel, names }));
    },
    forget(gone) {
      const names = new Set(gone.map(({ channel, name }) => JSON.stringify([channel, name])));
      for (const { teamId, record } of left())
        if (names.has(JSON.stringify([record.channel, record.assignedName])))
          put(teamId, { ...record, state: 'gone' });
    },
  };
}

interface Named {
  readonly teamId: string;
  readonly record: IdentityRecord;
}

/** The last word on each name, in the order of these words. */
function newestOf(rows: readonly AuditRow[]): ReadonlyMap<string, Named> {
  const newest = new Map<string, Named>();
  for (const { teamId, payload } of rows) {
    const { role, name, channel, state } = payload;
    if (typeof role !== 'string' || typeof name !== 'string' || typeof channel !== 'string')
      continue;
    const key = JSON.stringify([teamId, channel, name]);
    newest.delete(key);
    const known = state === 'gone' || state === 'lost' ? state : 'live';
    newest.set(key, { teamId, record: { role, assignedName: name, channel, state: known } });
  }
  return newest;
}
