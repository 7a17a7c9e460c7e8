/** Both orders that the engine can dispatch in. */
export const SCHEDULES = ['parallel', 'pipeline'] as const;

export type Schedule = (typeof SCHEDULES)[number];
