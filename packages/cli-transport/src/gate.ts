import { printable } from '@atelier/envelope';
import type { Agent } from './agent.ts';
import { CliTransportError } from './cli-error.ts';
import type { Command } from './command-wrap.ts';
import type { AttestedHost, Confinement, Sandboxed } from './confinement.ts';
import { isFakeRunner } from './fake-runner.ts';

/** What every sandbox has to have tried, whatever it is made of. */
const REQUIRED_PROBES = ['write-outside', 'read-secret', 'git-pointer', 'network'];

/**
 * Throws `UNSANDBOXED_REAL_RUN` unless workers would be confined: behind a wrap that really tried its walls
 * in this very process and was held by every one of them, on a host that someone answers for, or nowhere.
 */
function assertConfined(confinement: Confinement): void {
  if (isFakeRunner(confinement)) return;
  const refusal = refusalOf(confinement);
  if (refusal !== undefined) throw unsandboxed(refusal);
}

/**
 * Throws the same, and `UNSANDBOXED_BYPASS` for an agent that holds itself back by nothing, on a host where only a
 * person's word stands around it.
 */
export function assertAgentConfined(
  { name, needsWalls }: Pick<Agent, 'name' | 'needsWalls'>,
  confinement: Confinement,
): void {
  assertConfined(confinement);
  if (needsWalls !== true || confinement.kind !== 'attested-host') return;
  throw new CliTransportError(
    'UNSANDBOXED_BYPASS',
    `the ${printable(name, 60)} agent would do whatever it likes, unasked, on a host without walls`,
    'Give it the permission mode `acceptEdits`, or run it behind a sandbox.',
  );
}

/** The same for what nobody may play: a fake runner is refused too. */
export function assertReallyConfined(
  confinement: Confinement,
): asserts confinement is Sandboxed | AttestedHost {
  if (isFakeRunner(confinement)) throw unsandboxed('a fake runner has no walls for it');
  assertConfined(confinement);
}

/**
 * Throws the same for what is about to be executed: behind walls it must be more than the agent's command,
 * and end with it. `supervisor` is what stands in front of both and confines nothing.
 */
export function assertWalled(
  confinement: Confinement,
  { supervisor, executed, command }: ExecutedCommand,
): void {
  assertConfined(confinement);
  const plain = [command.file, ...command.args];
  if (!endsWith(executed, plain))
    throw unsandboxed('the wrap does not run the command it was given');
  if (confinement.kind !== 'sandboxed') return;
  const walls = executed.slice(0, executed.length - plain.length);
  if (walls.length <= supervisor.length || !supervisor.every((part, at) => part === walls[at]))
    throw unsandboxed('the wrap hands back the command as it was, without walls');
}

/** A process as it is about to be started, next to what the agent asked for. */
export interface ExecutedCommand {
  readonly supervisor: readonly string[];
  readonly executed: readonly string[];
  readonly command: Command;
}

/**
 * Whether it was really tried that nothing outlives whoever spawned the walls. Where it was not, a supervisor with a
 * timer of its own stands in front of them.
 */
export const diesWithHost = (confinement: Confinement): boolean =>
  confinement.kind === 'sandboxed' &&
  confinement.wrap
    .attestation()
    ?.probes.some(({ name, held }) => name === 'survive-the-supervisor' && held) === true;

const endsWith = (list: readonly string[], end: readonly string[]): boolean => {
  const start = list.length - end.length;
  return start >= 0 && end.every((part, at) => part === list[start + at]);
};

/** Takes nothing of the argument for granted: it may come from untyped code. */
function refusalOf(confinement: Exclude<Confinement, { kind: 'fake' }>): string | undefined {
  if (confinement?.kind === 'attested-host')
    return isNamed(confinement.attestedBy) ? undefined : 'nobody answers for this host';
  if (confinement?.kind !== 'sandboxed') return 'there is no sandbox';
  const { wrap } = confinement;
  if (typeof wrap?.wrap !== 'function') return 'there is no sandbox';
  const attestation = typeof wrap.attestation === 'function' ? wrap.attestation() : undefined;
  if (!attestation) return 'the sandbox has not been tried';
  if (attestation.pid !== process.pid) return 'the sandbox was tried by another process';
  const { probes } = attestation;
  if (!Array.isArray(probes)) return 'the sandbox does not say what was tried';
  const untried = REQUIRED_PROBES.filter((name) => !probes.some((probe) => probe?.name === name));
  if (untried.length > 0) return `the sandbox has not tried: ${untried.join(', ')}`;
  const open = probes.filter((probe) => probe?.held !== true);
  if (open.length > 0)
    return `a wall of the sandbox does not hold: ${open
      .map(({ name, detail }) => printable(`${name} (${detail})`))
      .join(', ')}`;
  return attestation.passed === true ? undefined : 'the self-test of the sandbox has not passed';
}

const isNamed = (text: unknown): boolean => typeof text === 'string' && text.trim() !== '';

const unsandboxed = (why: string): CliTransportError =>
  new CliTransportError(
    'UNSANDBOXED_REAL_RUN',
    `a real process would run without walls: ${why}`,
    [
      'Install bubblewrap (package `bubblewrap` on Debian, Ubuntu, Fedora and Arch).',
      'Ubuntu 24.04 and later also need unprivileged user namespaces: an AppArmor profile for bwrap, or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`.',
      'On a host that is confined as a whole, such as a throwaway container, set ATELIER_CLI_ALLOW_UNSANDBOXED=1.',
    ].join(' '),
  );
