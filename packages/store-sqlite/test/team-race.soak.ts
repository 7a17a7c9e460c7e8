import { teamRace } from './team-race.ts';

teamRace({ processes: 8, rounds: 50, messages: 200 });
teamRace({ processes: 2, rounds: 50, messages: 200 });
teamRace({ processes: 32, rounds: 20, messages: 100 });
