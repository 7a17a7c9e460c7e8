export type { Agent, AgentCall, AgentExit, AgentOutput, AttemptPlace } from './agent.ts';
export { claudeAgent } from './agents/claude/claude-agent.ts';
export type { ClaudeOptions, PermissionMode } from './agents/claude/options.ts';
export { type CommandAgentOptions, commandAgent } from './agents/command.ts';
export {
  type ApiCredential,
  type ApiForwarder,
  type ApiForwarderOptions,
  apiForwarder,
} from './api-forwarder/api-forwarder.ts';
export { type AttemptFolder, spoolOf } from './attempt-folder.ts';
export { CliTransportError } from './cli-error.ts';
export { cliTransport } from './cli-transport.ts';
export type { Access, Attestation, Command, CommandWrap } from './command-wrap.ts';
export type { AttestedHost, Confinement, Sandboxed } from './confinement.ts';
export { type FakeEnd, type FakeRunner, type FakeScript, fakeRunner } from './fake-runner.ts';
export { findProgram } from './find-program.ts';
export type { CliTransportOptions, Limits } from './options.ts';
export { preflight } from './preflight.ts';
export { type ConfinedShellOptions, confinedShell } from './shell/confined-shell.ts';
export type { Shell, ShellCall, ShellEnd } from './shell/shell-call.ts';
export { type SweptWorker, sweep } from './sweep.ts';
