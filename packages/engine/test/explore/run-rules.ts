import type { Rule } from './rule.ts';

/** Waves open one after the other, each when all before it has ended. */
export const waveRule: Rule = function* (fact, { outline, witness }) {
  if (fact.type === 'wave.opened') {
    if (witness.openWave !== -1) yield `wave ${fact.wave} opened while ${witness.openWave} is open`;
    if (fact.wave !== witness.nextWave)
      yield `wave ${fact.wave} opened instead of ${witness.nextWave}`;
    if (witness.paused !== '') yield `wave ${fact.wave} opened in a run that is ${witness.paused}`;
  }
  if (fact.type === 'wave.closed') {
    if (fact.wave !== witness.openWave) yield `wave ${fact.wave} closed, and it is not open`;
    for (const id of outline.waves[fact.wave] ?? [])
      if (witness.tasks.get(id)?.end === '')
        yield `wave ${fact.wave} closed before the end of ${id}`;
  }
};

/** An integration is of accepted work, one at a time: all of a wave while nothing runs, or without barriers any one. */
export const integrationRule: Rule = function* (fact, { plan, outline, witness }) {
  if (fact.type !== 'integration.started') return;
  if (witness.integrating.size > 0) yield 'a second integration began';
  const ids = fact.taskIds.map(String);
  for (const id of ids)
    if (!witness.tasks.get(id)?.accepted) yield `integration of ${id}, which is not accepted`;
  if (plan.policy.schedule === 'pipeline') {
    if (ids.length !== 1) yield `integration of ${ids.length} tasks at once`;
    return;
  }
  for (const [id, { live, requested, accepted }] of witness.tasks) {
    if (live + requested > 0) yield `integration while ${id} is at work`;
    const goesAlong = ids.includes(outline.authorOf.get(id) ?? '');
    if (accepted > 0 && !ids.includes(id) && !goesAlong) yield `integration leaves out ${id}`;
  }
};

/** A verdict fits what became of the tasks, and nothing follows it. */
export const verdictRule: Rule = function* (fact, { outline, witness }) {
  const { verdict, paused } = witness;
  const late = fact.type === 'run.resumed' || fact.type === 'escalation.delivered';
  if (verdict !== '' && !late) yield `${fact.type} after the run was ${verdict}`;
  if (fact.type === 'run.resumed' && (verdict === 'complete' || verdict === 'abandoned'))
    yield `resumption of a run that is ${verdict}`;
  if (fact.type === 'run.parked' && paused !== '') yield `parked, and it was ${paused}`;
  if (fact.type !== 'run.finished') return;
  const seen = outline.live.flatMap((id) => witness.tasks.get(id) ?? []);
  if (seen.some(({ live }) => live > 0)) yield 'the run finished with a worker at work';
  if (witness.integrating.size > 0) yield 'the run finished in the middle of an integration';
  const open = seen.some(({ end }) => end === '');
  const whole = seen.every(({ end }) => end === 'complete');
  const fits = open ? paused : whole ? 'complete' : 'abandoned';
  if (fact.verdict !== fits)
    yield `the verdict is ${fact.verdict} and should be ${fits || 'none yet'}`;
};
