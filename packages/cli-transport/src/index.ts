export type { Agent, AgentCall, AgentExit, AgentOutput, AttemptPlace } from './agent.ts';
export { claudeAgent } from './agents/claude/claude-agent.ts';
export type { ClaudeOptions, PermissionMode } from './agents/claude/options.ts';
export { codexAgent } from './agents/codex/codex-agent.ts';
export type { CodexOptions, SandboxMode } from './agents/codex/options.ts';
export { type CommandAgentOptions, commandAgent } from './agents/command.ts';
export {
  type ApiProxy,
  type ApiProxyLimits,
  type ApiProxyOptions,
  apiProxy,
} from './api-proxy/api-proxy.ts';
export { attemptToken } from './api-proxy/attempt-token.ts';
export {
  type ApiCredential,
  apiKey,
  type CredentialHeaders,
  oauthToken,
} from './api-proxy/credentials/credential.ts';
export { type LoginFileOptions, loginFile } from './api-proxy/credentials/login-file.ts';
export type { DialectName } from './api-proxy/dialects/dialect.ts';
export type { Pass, PassRecord, PassTerms, Trouble } from './api-proxy/pass.ts';
export { type WithApiProxyOptions, withApiProxy } from './api-proxy/with-api-proxy.ts';
export { type AttemptFolder, spoolOf } from './attempt-folder.ts';
export type { Bridge } from './bridge.ts';
export type { CallFile } from './call-file.ts';
export { CliTransportError } from './cli-error.ts';
export { cliTransport } from './cli-transport.ts';
export type { Access, Attestation, Command, CommandWrap } from './command-wrap.ts';
export type { AttestedHost, Confinement, Sandboxed } from './confinement.ts';
export { type EgressProxy, type EgressProxyOptions, egressProxy } from './egress/egress-proxy.ts';
export { egressEnvironment } from './egress/environment.ts';
export type { Lookup } from './egress/reach.ts';
export type { Traffic } from './egress/traffic.ts';
export { type FakeEnd, type FakeRunner, type FakeScript, fakeRunner } from './fake-runner.ts';
export { findProgram } from './find-program.ts';
export type { CliTransportOptions, Limits } from './options.ts';
export type { AgentSignal, OutputReader, WorkerSignal } from './output-reader.ts';
export { preflight } from './preflight.ts';
export { type ConfinedShellOptions, confinedShell } from './shell/confined-shell.ts';
export type { Shell, ShellCall, ShellEnd } from './shell/shell-call.ts';
export { type SweptWorker, sweep } from './sweep.ts';
export { isWorkerAlive } from './worker-alive.ts';
