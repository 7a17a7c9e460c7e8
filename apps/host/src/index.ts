export { main } from './main.ts';
export type { Output, Streams } from './streams.ts';
