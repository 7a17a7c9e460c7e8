export type {
  Answer,
  BriefedTask,
  BriefingInput,
  ChangeStatus,
  HandIn,
  PreviousAttempt,
  TeamChat,
  UpstreamWork,
  WaveFacts,
  WorkUnderReview,
} from './briefing-input.ts';
export { composeBriefing } from './compose-briefing.ts';
export { type Excerpt, foreignInstructions } from './foreign-instructions.ts';
export type { InstructionKind } from './instruction-patterns.ts';
export { composeMeetingBriefing } from './meeting-briefing.ts';
export type { MeetingInput } from './meeting-input.ts';
export { composePlanningBriefing } from './planning-briefing.ts';
export type { PlanKey, PlanningInput } from './planning-input.ts';
