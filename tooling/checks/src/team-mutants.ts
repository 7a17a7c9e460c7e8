import type { Mutant } from './mutant.ts';

const TEAM = ['packages/team-behaviors'];

const LOOM = ['packages/loom-comms/src', 'packages/loom-comms/test/teardown.test.ts'];

/** What is around a run: none of it may steer it, and none of it may be forged. */
export const TEAM_MUTANTS: readonly Mutant[] = [
  {
    guard: 'team: a gap is booked once, of however many processes',
    file: 'packages/store-sqlite/src/team/ledger.ts',
    find: 'return connection.change(insertLatch, row) === 0 ? null : append(entry);',
    replace: 'return connection.change(insertLatch, row) < 0 ? null : append(entry);',
    tests: ['packages/store-sqlite/src/team/ledger.test.ts'],
  },
  {
    guard: 'team: a ledger that fails does not fail the escalation',
    file: 'packages/team-behaviors/src/gaps/escalate-fn.ts',
    find: 'tell(() => onLedgerFailure(error, escalation));',
    replace: 'void onLedgerFailure; throw error;',
    tests: TEAM,
  },
  {
    guard: 'team: the chat is ended however the run ends',
    file: 'apps/host/src/team/order-of-run.ts',
    find: 'await steps.teardown();',
    replace: '',
    tests: ['apps/host/src/team/order-of-run.test.ts'],
  },
  {
    guard: 'team: a meeting has an end',
    file: 'packages/team-behaviors/src/meeting/backstop.ts',
    find: 'now - firstMessageAt >= caps.wallClockMs',
    replace: 'now - firstMessageAt > 2 * caps.wallClockMs',
    tests: TEAM,
  },
  {
    guard: 'team: foreign text stays in its fence',
    file: 'packages/team-behaviors/src/wire/fence-message.ts',
    find: "replaceAll('<', '&lt;')",
    replace: "replaceAll('<<', '&lt;')",
    tests: TEAM,
  },
  {
    guard: 'team: an answer is told to the task that it was given to',
    file: 'apps/host/src/team/answers-for.ts',
    find: 'titlesIn(runId).get(key) === (title ?? undefined)',
    replace: 'title !== null',
    tests: ['apps/host/src/commands/answers.test.ts'],
  },
  {
    guard: 'consent: who proposes, works or would be let in can not consent',
    file: 'packages/team-behaviors/src/consent/decide.ts',
    find: "if (!mayConsent(by, proposal, workers)) throw consentError('CONSENT_NOT_AN_OPERATOR');",
    replace: 'void mayConsent;',
    tests: TEAM,
  },
  {
    guard: 'consent: a row of somebody who can not consent is no decision',
    file: 'packages/team-behaviors/src/consent/standing-consent.ts',
    find: "mayConsent(textAt(payload, 'by') ?? '', proposal, workers),",
    replace: '(void mayConsent, void workers, true),',
    tests: TEAM,
  },
  {
    guard: 'consent: it is to these very words',
    file: 'packages/team-behaviors/src/consent/standing-consent.ts',
    find: "payload['sha256'] === proposal.sha256 &&",
    replace: '',
    tests: TEAM,
  },
  {
    guard: 'consent: the last decision counts',
    file: 'packages/team-behaviors/src/consent/standing-consent.ts',
    find: '.findLast(',
    replace: '.find(',
    tests: TEAM,
  },
  {
    guard: 'chat: exactly 0 opens no connection',
    file: 'packages/loom-comms/src/detect.ts',
    find: "if (env['ATELIER_LOOM_COMMS'] === '0')",
    replace: "if (env['ATELIER_LOOM_COMMS'] === 'off')",
    tests: ['packages/loom-comms/test/failing.test.ts'],
  },
  {
    guard: 'chat: a run signs off nobody of another channel',
    file: 'packages/loom-comms/src/teardown.ts',
    find: 'listed.ok ? membersOf(listed.value, hall.channel) : [];',
    replace: "listed.ok ? [...membersOf(listed.value, hall.channel), roles[0] + '-2'] : [];",
    tests: LOOM,
  },
  {
    guard: 'chat: what a dead run left is signed off in its own channel alone',
    file: 'packages/loom-comms/src/sign-off-left.ts',
    find: 'for (const name of members.length === 0 ? [] : names) {',
    replace: 'for (const name of names) {',
    tests: LOOM,
  },
  {
    guard: 'chat: a name that its channel does not have is not signed off',
    file: 'packages/loom-comms/src/sign-off-left.ts',
    find: 'members.includes(name) ?',
    replace: 'members.length > 0 ?',
    tests: LOOM,
  },
  {
    guard: 'chat: its names are kept beyond the process',
    file: 'apps/host/src/team/chat.ts',
    find: '...{ store: names, onTrouble: warn },',
    replace: 'onTrouble: warn,',
    tests: ['apps/host/src/team/chat-names.test.ts'],
  },
  {
    guard: 'liveness: only who is seen beats',
    file: 'apps/host/src/team/heartbeats.ts',
    find: 'if (!signs?.isAlive()) return false;',
    replace: 'if (!signs) return false;',
    tests: ['apps/host/src/team/heartbeats.test.ts'],
  },
  {
    guard: 'liveness: a worker of an earlier host is looked at too',
    file: 'apps/host/src/team/heartbeats.ts',
    find: 'for (const event of history) follow(event);',
    replace: 'void history;',
    tests: ['apps/host/src/team/heartbeats.test.ts'],
  },
  {
    guard: 'liveness: a later process with its number is no worker',
    file: 'packages/cli-transport/src/living-supervisor.ts',
    find: 'one.startTime === recorded.startTime &&',
    replace: '',
    tests: ['packages/cli-transport/src/worker-alive.test.ts'],
  },
  {
    guard: 'liveness: a process of another attempt is no worker of this one',
    file: 'packages/cli-transport/src/living-supervisor.ts',
    find: 'startedWith(one.pid, NONCE) === nonce,',
    replace: 'startedWith(one.pid, NONCE) !== undefined && nonce !== undefined,',
    tests: ['packages/cli-transport/src/worker-alive.test.ts'],
  },
];
