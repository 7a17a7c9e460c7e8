const FIRST_MS = 250;

const LONGEST_MS = 2000;

/** Polls that may come back empty before the pauses grow. */
const PATIENT_POLLS = 10;

/** Milliseconds until an inbox is read again, after so many polls in a row that found nothing. */
export function followDelayMs(emptyPolls: number): number {
  const doublings = Math.min(10, Math.max(0, emptyPolls - PATIENT_POLLS));
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** doublings);
}
