/** A wave by its place, and by its group where the two differ. Places count from 1. */
export const waveName = (place: number, group: number): string =>
  place === group ? `${place}` : `${place} (group ${group})`;
