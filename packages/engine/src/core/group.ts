/** True for what names a wave: an integer of at least 1. */
export const isGroup = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
