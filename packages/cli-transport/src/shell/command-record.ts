import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AttemptFolder } from '../attempt-folder.ts';
import { bootId } from '../machine-clock.ts';
import { identityOf, isRunning, type ProcessIdentity, pidNamespaceOf } from '../process-table.ts';

/** What a later host needs to find a command that outlived its own. */
export interface CommandRecord {
  /** In the environment of every process of the command where no walls clear it. */
  readonly mark: string;
  readonly host: ProcessIdentity;
  /** Where the host's number means something. */
  readonly pidNamespace: string;
  readonly bootId: string;
}

/** Written before the command is started. */
export function writeCommand({ meta }: AttemptFolder, mark: string): void {
  const record: CommandRecord = {
    mark,
    host: identityOf(process.pid),
    pidNamespace: pidNamespaceOf('self'),
    bootId: bootId() ?? '',
  };
  writeFileSync(meta, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Undefined when there is none, or when it is not whole; then its command was not started. */
export function readCommand({ meta }: AttemptFolder): CommandRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(meta, 'utf8'));
    return isCommand(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** False before it is written, and again while the folder is being removed: then there is no command. */
export const isRecorded = ({ meta }: AttemptFolder): boolean =>
  (statSync(meta, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** True while the host that started it lives. Of one in another pid namespace, whoever holds the run's lock knows better. */
export const hasHost = (record: CommandRecord): boolean =>
  record.bootId === (bootId() ?? '') &&
  record.pidNamespace === pidNamespaceOf('self') &&
  isRunning(record.host);

function isCommand(value: unknown): value is CommandRecord {
  const { mark, host, pidNamespace, bootId: boot } = Object(value);
  const { pid, startTime } = Object(host);
  return (
    [mark, pidNamespace, boot, startTime].every((one) => typeof one === 'string') &&
    Number.isSafeInteger(pid)
  );
}
