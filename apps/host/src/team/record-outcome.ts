import { outcomeRecord, type RunFacts } from '@atelier/reporters';
import type { Drive } from '../compose/drive-run.ts';
import type { Project } from '../compose/project.ts';
import type { RepositoryReport } from '../compose/run-on-repository.ts';
import { storedMeeting } from '../meeting/stored-meeting.ts';
import { bypassesOfRun } from './bypasses-of-run.ts';
import { projectName } from './project-name.ts';

/** What a host knows of a run beside its report. */
export interface Circumstances
  extends Pick<RunFacts, 'phase' | 'chat'>,
    Pick<Drive, 'goal' | 'tasks' | 'mode' | 'about'> {
  readonly teamId: string;
  readonly meetingCost: RunFacts['meetingCost'] | undefined;
}

/** Keeps what a run came to, for `atelier report`. A run that ends again, or whose phase moves, has the later record. */
export function recordOutcome(
  project: Pick<Project, 'store' | 'repository'>,
  report: RepositoryReport,
  { goal, tasks, mode, about, teamId, meetingCost, phase, chat }: Circumstances,
): void {
  const { team } = project.store;
  const { outcomes, phases } = team;
  const meeting = storedMeeting(team, { teamId, runId: report.runId })?.minutes;
  const facts: RunFacts = {
    ...(phase ? { phase } : {}),
    ...(chat ? { chat } : {}),
    goal,
    endedAt: new Date().toISOString(),
    runMode: mode.mode,
    branch: report.branch.replace('refs/heads/', ''),
    bypasses: bypassesOfRun(phases, projectName(project), { about }).map(
      ({ skill, agent, reason }) => ({
        ...{ skill: skill ?? '', agent, reason },
      }),
    ),
    ...(meeting ? { meeting } : {}),
    ...(meetingCost ? { meetingCost } : {}),
  };
  outcomes.put(report.runId, outcomeRecord(report, tasks, facts));
}
