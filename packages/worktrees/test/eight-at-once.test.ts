import { eightAtOnce } from './eight-at-once.ts';

// Fifty rounds are run by the long suite.
eightAtOnce([1, 2]);
