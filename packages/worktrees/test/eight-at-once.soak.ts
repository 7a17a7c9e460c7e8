import { eightAtOnce } from './eight-at-once.ts';

eightAtOnce([1, 2, 3, 4, 5]);
