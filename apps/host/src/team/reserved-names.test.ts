import { GENERIC_WORKER, rosterOf } from '@atelier/team-behaviors';
import { expect, it } from 'vitest';
import { speakersOf } from '../meeting/record-notes.ts';
import { LEAD } from './current-team.ts';

const [human = ''] = speakersOf({ leadRole: LEAD, roles: [] }).keys();

it.each([LEAD, human, GENERIC_WORKER.id])(
  'nobody in a roster can be called %s: the host speaks and works under that name',
  (id) => {
    expect(id).toMatch(/^[a-z-]+$/u);
    expect(() => rosterOf([{ id, name: 'n', role: 'r', profile: 'p' }])).toThrow(
      `${id} is reserved`,
    );
  },
);
