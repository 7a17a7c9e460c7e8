/** What a run is made of. Each step gets what the one before it has made. */
export interface RunSteps<Plan, Team, Report> {
  /** Throws when the project is not in a phase for it, and nobody let it through. */
  gate(): Promise<void> | void;
  load(): Promise<Plan>;
  register(plan: Plan): Promise<Team> | Team;
  /** Never rejects: a chat is for who watches. */
  kickoff(team: Team): Promise<void>;
  meeting(team: Team): Promise<void>;
  /** The one await in which workers run; escalations are told as they happen. */
  dispatch(team: Team): Promise<Report>;
  /** Escalations and outcomes, as a whole. */
  tell(report: Report, team: Team): Promise<void> | void;
  /** Ends what kickoff began. Never rejects. */
  teardown(): Promise<void>;
  advance(report: Report): Promise<void> | void;
}

/**
 * The order of every run: gate, load, registry, kickoff, meeting, dispatch, report, teardown, phase. What was begun for
 * the chat is ended however the run ends, also when a step throws; the phase moves only after a report.
 */
export async function orderOfRun<Plan, Team, Report>(
  steps: RunSteps<Plan, Team, Report>,
): Promise<Report> {
  await steps.gate();
  const team = await steps.register(await steps.load());
  let report: Report;
  try {
    await steps.kickoff(team);
    await steps.meeting(team);
    report = await steps.dispatch(team);
    await steps.tell(report, team);
  } finally {
    await steps.teardown();
  }
  await steps.advance(report);
  return report;
}
