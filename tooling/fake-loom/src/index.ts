export type { Agent, Channel, Message } from './chat.ts';
export { type FakeLoom, type FakeLoomOptions, startFakeLoom } from './fake-loom.ts';
export type { Fault, RecordedCall } from './fault.ts';
