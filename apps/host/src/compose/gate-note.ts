import type { GateNote } from '@atelier/acceptance';
import { printable } from '@atelier/envelope';

/** A run of the wave gate, on one line. */
export function gateNoteText(note: GateNote): string {
  if (note.kind === 'left-behind')
    return `warning: ${printable(note.path)} was left behind: ${printable(note.detail)}`;
  const { green, commit, taskIds, detail } = note;
  const names = taskIds.map((id) => printable(id, 60)).join(', ');
  return `gate ${green ? 'green' : 'red'} at ${commit.slice(0, 12)}${names === '' ? '' : ` with ${names}`}${green ? '' : `: ${printable(detail)}`}`;
}
