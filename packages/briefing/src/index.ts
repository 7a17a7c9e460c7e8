export type {
  Answer,
  BriefedTask,
  BriefingInput,
  ChangeStatus,
  HandIn,
  PreviousAttempt,
  UpstreamWork,
  WorkUnderReview,
} from './briefing-input.ts';
export { composeBriefing } from './compose-briefing.ts';
