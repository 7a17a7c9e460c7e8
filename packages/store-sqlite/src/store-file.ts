import { join } from 'node:path';

/** The store of a project, in the folder that holds its state. */
export const storeFile = (stateDir: string): string => join(stateDir, 'atelier.db');
