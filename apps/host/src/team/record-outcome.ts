import { outcomeRecord, type RunFacts } from '@atelier/reporters';
import type { Drive } from '../compose/drive-run.ts';
import type { Project } from '../compose/project.ts';
import type { RepositoryReport } from '../compose/run-on-repository.ts';
import { storedMeeting } from '../meeting/stored-meeting.ts';

/** What a host knows of a run beside its report. */
export interface Circumstances
  extends Pick<RunFacts, 'phase' | 'chat'>,
    Pick<Drive, 'goal' | 'tasks' | 'mode'> {
  readonly teamId: string;
  /** Gates that were let through before, which this run has nothing to do with. */
  readonly bypassedBefore: number;
}

/** Keeps what a run came to, for `atelier report`. A run that ends again, or whose phase moves, has the later record. */
export function recordOutcome(
  { store, repository }: Pick<Project, 'store' | 'repository'>,
  report: RepositoryReport,
  { goal, tasks, mode, teamId, bypassedBefore, phase, chat }: Circumstances,
): void {
  const { outcomes, phases } = store.team;
  const meeting = storedMeeting(store.team, { teamId, runId: report.runId })?.minutes;
  const facts: RunFacts = {
    ...(phase ? { phase } : {}),
    ...(chat ? { chat } : {}),
    goal,
    endedAt: new Date().toISOString(),
    runMode: mode.mode,
    branch: report.branch.replace('refs/heads/', ''),
    bypasses: phases
      .bypasses(repository.id)
      .slice(bypassedBefore)
      .map(({ skill, agent, reason }) => ({ skill: skill ?? '', agent, reason })),
    ...(meeting ? { meeting } : {}),
  };
  outcomes.put(report.runId, outcomeRecord(report, tasks, facts));
}
