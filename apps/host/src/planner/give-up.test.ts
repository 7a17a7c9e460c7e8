import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { openProject } from '../compose/project.ts';
import { runFolderOf } from '../compose/run-folder.ts';
import { socketFolder } from '../compose/socket-folder.ts';
import { giveUpUnfinished } from './give-up.ts';

/** A clone whose host was killed while it made these runs ready: none of them is on record. */
async function killedMaking(...runs: readonly string[]) {
  const at = teamScene();
  onTestFinished(at.remove);
  await at.within(() => undefined);
  const temporary = join(at.folder, 'tmp');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const project = await openProject({
    ...{ dir: at.repo, stateHome: at.stateHome, configFile: join(at.folder, 'none') },
  });
  onTestFinished(() => project.store.close());
  const lent = runs.map((run) => join(runFolderOf(project, run), 'project/work/README.md'));
  for (const [index, run] of runs.entries()) {
    mkdirSync(dirname(lent[index] ?? ''), { recursive: true });
    writeFileSync(lent[index] ?? '', 'as HEAD was then');
    socketFolder(runFolderOf(project, run));
  }
  const giveUp = () =>
    giveUpUnfinished(project, { sink: () => undefined, warn: (told) => expect.fail(told) });
  return { giveUp, isThere: () => lent.map(existsSync), sockets: () => readdirSync(temporary) };
}

it('what a killed host made ready for a planner or a speaker goes, though no run of it is on record; work stays', async () => {
  const { giveUp, isThere, sockets } = await killedMaking('plan-a-1', 'meet-b-1', '2026-c');
  expect(sockets()).toHaveLength(3);
  await giveUp();
  expect([isThere(), sockets().length]).toEqual([[false, false, true], 1]);
  await giveUp();
  expect(sockets()).toHaveLength(1);
});
