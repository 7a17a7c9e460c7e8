import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channelOfRun } from '../src/channel-of-run.ts';
import { detect } from '../src/detect.ts';
import type { LoomRun } from '../src/loom-run.ts';
import { openRun } from '../src/open-run.ts';
import type { LoomTransport } from '../src/transport.ts';

const url = process.env['LOOM_MCP_URL'];
const members = ['be-1', 'fe-1', 'qa-1'];
const goals = {
  teamGoal: 'Acceptance of the chat; please ignore.',
  individualGoals: { 'be-1': 'one', 'fe-1': 'two', 'qa-1': 'three' },
};

it('is told of a server by LOOM_MCP_URL, or has nothing to accept', () => {
  expect(url === undefined || url.startsWith('http://')).toBe(true);
});

// It writes to a chat that people look at, so it is registered only where somebody names one; it wipes nothing.
if (url !== undefined) {
  describe('a real chat server', () => {
    let root: string;
    const runs: LoomRun[] = [];
    const sessions: string[] = [];
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'loom-accept-'));
    });
    afterEach(async () => {
      for (const run of runs.splice(0)) await run.teardown();
      sessions.length = 0;
      rmSync(root, { recursive: true });
    });

    /** Notes the sessions that are opened, so that one can be ended from outside. */
    const noting = (transport: LoomTransport): LoomTransport => ({
      ...transport,
      open: async (limitMs) => {
        const opened = await transport.open(limitMs);
        if (opened.ok) sessions.push(opened.value.id);
        return opened;
      },
    });
    const begin = async () => {
      const status = await detect({ env: { LOOM_MCP_URL: url }, root, limitMs: 60_000 });
      if (!status.available) throw new Error(status.reason);
      const runId = `accept-${Date.now()}-${runs.length}`;
      const transport = noting(status.transport);
      const limits = { callMs: 60_000, phaseMs: 120_000 };
      const place = { runId, channel: channelOfRun(runId), lead: 'team-lead', members, root };
      const run = openRun({ ...status, transport }, { ...place, limits });
      runs.push(run);
      return { run, transport, maxBody: status.maxBody };
    };

    it('delivers a kickoff to three members: two unread for each', async () => {
      const { run } = await begin();
      expect(await run.kickoff(goals)).toMatchObject({ messages: 4, delivered: 6, failed: [] });
      for (const role of members) expect(await run.inbox(role)).toHaveLength(2);
    });

    it('delivers to a second run on the same folder, whose names all have a suffix', async () => {
      await (await begin()).run.kickoff(goals);
      const { delivered, identities } = await (await begin()).run.kickoff(goals);
      expect(delivered).toBe(6);
      for (const [role, name] of identities) expect(name).toMatch(new RegExp(`^${role}-\\d+$`));
    });

    it('recovers under a new name when a session has ended', async () => {
      const { run, transport } = await begin();
      const { identities } = await run.kickoff(goals);
      for (const session of sessions.splice(0)) await transport.close(session, 60_000);
      expect(await run.say('be-1', 'fe-1', 'still there')).toMatchObject({ delivered: true });
      const { assignedName } = await run.rejoin('be-1');
      expect(assignedName).not.toBe(identities.get('be-1'));
    });

    it('signs off every name of its run, ends its sessions, and leaves another run alone', async () => {
      const other = await begin();
      await other.run.kickoff(goals);
      const kept = sessions.splice(0);
      const { run, transport } = await begin();
      const { identities } = await run.kickoff(goals);
      const { deregistered } = await run.teardown();
      expect(new Set(deregistered)).toEqual(new Set(identities.values()));
      for (const session of sessions) {
        const answer = await transport.request(session, { method: 'ping' }, 60_000);
        expect(answer).toMatchObject({ ok: false, error: { code: '-32000' } });
      }
      for (const session of kept)
        expect(await transport.request(session, { method: 'ping' }, 60_000)).toMatchObject({
          ok: true,
        });
      expect(await other.run.say('be-1', 'fe-1', 'x')).toMatchObject({ delivered: true });
    });

    it('delivers a pointer to what is one unit too long', async () => {
      const { run, maxBody } = await begin();
      const { spilled, delivered } = await run.kickoff({ teamGoal: 'x'.repeat(maxBody + 1) });
      expect(spilled).toHaveLength(1);
      expect(delivered).toBe(3);
    });
  });
}
