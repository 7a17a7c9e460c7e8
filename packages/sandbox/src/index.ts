export type { Access, SocketAccess } from './access.ts';
export { type BubblewrapOptions, bubblewrap } from './bubblewrap.ts';
export type { Command } from './command.ts';
export { describeRefusal } from './describe-refusal.ts';
export { SandboxError } from './error.ts';
export { type PlatformSandboxOptions, platformSandbox } from './platform-sandbox.ts';
export type { Probe, Sandbox, SelfTest } from './sandbox.ts';
export { type SeatbeltOptions, seatbelt } from './seatbelt.ts';
export { setupFailure } from './setup-failure.ts';
