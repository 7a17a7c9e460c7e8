import { join } from 'node:path';

/** The command as a user starts it. Called as a process, never imported: its own start is part of what it costs. */
export const ATELIER: string = join(import.meta.dirname, '../../../apps/host/bundle/atelier.js');
