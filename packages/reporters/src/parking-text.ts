import type { Parking } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { after } from './closure-text.ts';
import { instant } from './when.ts';

/** Why a run is parked, and until when. */
export function parkingText({ cause, detail, resumeAt }: Parking): string {
  const until = instant(resumeAt);
  return `parked (${printable(cause)})${after(detail)}${until ? `; it may go on after ${until}` : ''}`;
}

const REMEDY: Readonly<Record<Parking['cause'], string>> = {
  'usage-limit': 'Nothing more is charged. Wait until the limit is reset, or raise it.',
  account: 'Log in, or put the credit, the key or the name of the model right.',
  budget:
    'Nothing more is charged. Go on with a larger total, --budget, or a mode that spends more of it.',
  breaker: 'See what these attempts have in common before the next ones are charged.',
  gate: 'The check before the charge said no; put right what it names.',
  'gate-failed': 'See why it could not be said whether to go on; nothing was charged on doubt.',
  'no-room': 'Make room on that disk.',
  integration: 'Put right what kept the work from being merged; it is kept.',
};

/** What a person does about it, before the run goes on. */
export const remedy = ({ cause }: Parking): string =>
  Object.hasOwn(REMEDY, cause) ? REMEDY[cause] : '';
