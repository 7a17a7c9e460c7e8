export type {
  Answer,
  BriefedTask,
  BriefingInput,
  HandIn,
  PreviousAttempt,
  UpstreamWork,
} from './briefing-input.ts';
export { composeBriefing } from './compose-briefing.ts';
