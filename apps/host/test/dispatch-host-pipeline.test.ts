import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeAgent, commandAgent, fakeRunner } from '@atelier/cli-transport';
import { memoryJournal } from '@atelier/engine';
import { platformSandbox } from '@atelier/sandbox';
import { memoryLedger } from '@atelier/team-behaviors';
import { describe, expect, it } from 'vitest';
import { dispatchHostPipeline, type HostPipelineOptions } from '../src/dispatch-host-pipeline.ts';
import { type Scene, scene } from './host-process.ts';

const TASKS = [
  { id: 'a', parallel_group: 1 },
  { id: 'b', parallel_group: 1, assigned_persona: 'backend-engineer' },
  { id: 'c', parallel_group: 2, depends_on: ['b'] },
];

const CLAUDE = { program: 'claude', apiSocket: '/nowhere/api.sock' };

const WORKER = `#!/bin/sh
reply() { printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"%s","artifacts":["x"],"notes_md":"%s"}' "$ATELIER_TASK_ID" "$ATELIER_ATTEMPT" "$1" "$2" > "$ATELIER_REPLY_FILE"; }
if [ "$ATELIER_TASK_ID" = b ]; then reply abandoned 'ABANDON: scope:too big'; else echo hi > "$ATELIER_TASK_ID.txt"; reply done ''; fi
`;

function optionsFor(at: Scene): HostPipelineOptions {
  const program = join(at.folder, 'worker.sh');
  writeFileSync(program, WORKER);
  chmodSync(program, 0o755);
  return {
    repo: at.repo,
    journal: memoryJournal(),
    env: {},
    runMode: 'balanced',
    worktrees: { stateDir: at.stateDir },
    sandbox: null,
    agent: commandAgent({ program }),
  };
}

describe('dispatchHostPipeline: one await', () => {
  it('hard rule: an escalation is guaranteed, never best effort: the collector has each at once, beside the flat records in (parallel_group, id) order', async () => {
    const at = scene();
    const sandbox = platformSandbox();
    await sandbox.selfTest();
    const escalations: unknown[] = [];
    const ledger = memoryLedger({ now: Date.now });
    const result = await dispatchHostPipeline(TASKS, {
      ...optionsFor(at),
      sandbox,
      ...{ teamId: 'team', ledger },
      onEscalation: (escalation) => escalations.push(escalation),
    });
    // The ledger is an addition: once for each task.
    expect(ledger.rows.map(({ payload }) => payload['gap_id'])).toEqual(['task-b', 'task-c']);
    expect(result.results).toMatchObject([
      { type: 'task_result', task_id: 'a', status: 'done' },
      { type: 'task_result', task_id: 'b', status: 'abandoned' },
      {
        _engine_abandon: true,
        type: null,
        category: 'blocked',
        upstream_task_id: 'b',
        task_id: 'c',
      },
    ]);
    expect(escalations).toEqual(result.escalations);
    expect(escalations).toMatchObject([
      { task_id: 'b', worker: 'backend-engineer', category: 'scope' },
      { task_id: 'c' },
    ]);
    expect(at.git('show', `${result.branch}:a.txt`)).toBe('hi\n');
  });

  it('a fake runner needs no walls, by its type', async () => {
    const at = scene();
    const runner = fakeRunner(() => ({ exitCode: 1 }));
    const result = await dispatchHostPipeline(TASKS.slice(0, 1), { ...optionsFor(at), runner });
    expect(result.verdict).toBe('abandoned');
  });

  it('a budget parks what does not fit into it, and a model of a task is recorded with its charge', async () => {
    const at = scene();
    const runner = fakeRunner(() => ({ exitCode: 1 }));
    const journal = memoryJournal();
    const given = { ...optionsFor(at), runner, journal, modelFor: () => 'a-model' };
    const result = await dispatchHostPipeline(TASKS.slice(0, 1), {
      ...given,
      budget: { tokens: 20_000 },
    });
    expect(result).toMatchObject({
      verdict: 'parked',
      parking: { cause: 'budget' },
      dispatches: 2,
    });
    expect(journal.events.find(({ type }) => type === 'attempt.started')).toMatchObject({
      terms: { model: 'a-model', estimate: { outputTokens: 6_000 } },
    });
  });

  it('failures of one kind in a row park here, too', async () => {
    const runner = fakeRunner(() => ({ exitCode: 1 }));
    const result = await dispatchHostPipeline(TASKS, { ...optionsFor(scene()), runner });
    expect(result).toMatchObject({ verdict: 'parked', parking: { cause: 'breaker' } });
  });

  it('an agent is given by name, as on the command line', async () => {
    const at = scene();
    const named = {
      ...optionsFor(at),
      env: { ATELIER_CLI_ALLOW_UNSANDBOXED: '1', HOME: at.folder },
    };
    const refused = (agent: string) =>
      expect(dispatchHostPipeline(TASKS, { ...named, agent })).rejects;
    await refused('codex').toThrow('the codex agent needs OPENAI_API_KEY');
    await refused('claude').toThrow('the claude agent needs ANTHROPIC_API_KEY');
    await refused('gpt').toThrow('there is no agent "gpt"');
  });

  const refusals: [string, object, string][] = [
    [
      'hard rule: no real agent starts without walls that were tried: one without any',
      {},
      'UNSANDBOXED_REAL_RUN',
    ],
    ['walls that were not tried', { sandbox: platformSandbox() }, 'UNSANDBOXED_REAL_RUN'],
    [
      'a flag that claims to be a fake',
      { runner: { kind: 'fake', fake: true } },
      'UNSANDBOXED_REAL_RUN',
    ],
    [
      'hard rule: a run never goes without a run mode: one without',
      { runMode: null },
      'RUN_MODE_REQUIRED',
    ],
    [
      'hard rule: there is one path of dispatch: another, the bridge,',
      { env: { ATELIER_TRANSPORT: 'bridge' } },
      'UNKNOWN_TRANSPORT',
    ],
    ['claude as an object', { agent: claudeAgent(CLAUDE) }, 'AGENT_BY_NAME'],
    [
      'a fake that plays a name',
      { runner: fakeRunner(() => ({ exitCode: 1 })), agent: 'codex' },
      'AGENT_REQUIRED',
    ],
    ['a team without its ledger', { teamId: 't' }, 'LEDGER_REQUIRED'],
    ['a reviewer that is no task', { reviewPairing: { a: 'ghost' } }, 'REVIEW_PAIRING'],
  ];
  it.each(refusals)('%s is refused by name, and nothing is charged', async (_, options, code) => {
    const at = scene();
    const journal = memoryJournal();
    const given = { ...optionsFor(at), journal, ...options } as HostPipelineOptions;
    await expect(dispatchHostPipeline(TASKS, given)).rejects.toMatchObject({ code });
    expect(journal.events).toEqual([]);
    expect(at.git('for-each-ref', 'refs/heads/atelier')).toBe('');
  });
});
