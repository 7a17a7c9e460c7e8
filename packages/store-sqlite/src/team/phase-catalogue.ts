/** A phase of a project. */
export interface Phase {
  readonly name: string;
  /** The procedure it belongs to. */
  readonly skill: string;
  readonly description: string;
  /** Nothing follows it, not even what may be entered from anywhere. */
  readonly terminal: boolean;
  readonly fromAnywhere: boolean;
}

/** What a procedure asks of the phase. Without `required` it may always begin. */
export interface Gate {
  readonly skill: string;
  /** The phase that a person would have to bring about. */
  readonly required: string | null;
  /** Every phase in which it may begin, or go on; `required` among them. */
  readonly accepts: readonly string[];
}

/** The phases, what may follow what, and the gates. */
export interface PhaseCatalogue {
  readonly initial: string;
  readonly phases: readonly Phase[];
  readonly transitions: readonly (readonly [from: string, to: string])[];
  readonly gates: readonly Gate[];
}

type Remark = 'terminal' | 'fromAnywhere';

const phase = (name: string, description: string, remark?: Remark): Phase => ({
  name,
  skill: `dev:${name.slice(0, name.indexOf(':'))}`,
  description,
  terminal: remark === 'terminal',
  fromAnywhere: remark === 'fromAnywhere',
});

const PHASES: readonly Phase[] = [
  phase('design:open', 'What is to be built is being thought through'),
  phase('design:approved', 'A person has agreed to the design'),
  phase('plan:open', 'The design is being cut into tasks'),
  phase('plan:approved', 'A person has agreed to the plan'),
  phase('tdd:red', 'The work has begun; its tests fail'),
  phase('tdd:green', 'The tests pass'),
  phase('tdd:clean', 'The tests pass and the code is tidy'),
  phase('review:open', 'The work is being read'),
  phase('review:changes-requested', 'The readers want something changed'),
  phase('review:approved', 'The readers agree'),
  phase('security:open', 'The work is being looked at for holes'),
  phase('security:changes-requested', 'A hole must be closed'),
  phase('security:approved', 'No known hole is left'),
  phase('qa:open', 'The whole is being tried out'),
  phase('qa:changes-requested', 'The trial found a defect'),
  phase('qa:approved', 'The trial was passed'),
  phase('diagnose:open', 'A defect is being looked for', 'fromAnywhere'),
  phase('diagnose:resolved', 'The defect is understood and gone'),
  phase('handoff:open', 'The work is being handed over'),
  phase('handoff:complete', 'The work has been handed over', 'terminal'),
];

const stages = (name: string, ...states: readonly string[]): readonly string[] =>
  states.map((state) => `${name}:${state}`);

const JUDGED = ['open', 'changes-requested', 'approved'] as const;

/** An open phase that is either agreed to or sent back. */
const judged = (name: string): PhaseCatalogue['transitions'] => [
  [`${name}:open`, `${name}:changes-requested`],
  [`${name}:changes-requested`, `${name}:open`],
  [`${name}:open`, `${name}:approved`],
];

const RETURNS: readonly string[] = PHASES.map(({ name }) => name).filter(
  (name) => !/^(?:diagnose|handoff):/u.test(name),
);

/**
 * The one description of the phases. A store is seeded from it by a migration, whose checksum it is part of: it is
 * frozen, and a change of it is a later migration.
 */
export const PHASE_CATALOGUE: PhaseCatalogue = {
  initial: 'design:open',
  phases: PHASES,
  transitions: [
    ['design:open', 'design:approved'],
    ['design:approved', 'plan:open'],
    ['plan:open', 'plan:approved'],
    ['plan:approved', 'tdd:red'],
    ['tdd:red', 'tdd:green'],
    ['tdd:green', 'tdd:clean'],
    ['tdd:clean', 'tdd:red'],
    ['tdd:clean', 'review:open'],
    ...judged('review'),
    ['review:approved', 'security:open'],
    ...judged('security'),
    ['security:approved', 'qa:open'],
    ...judged('qa'),
    ['qa:approved', 'handoff:open'],
    ['qa:approved', 'handoff:complete'],
    ['handoff:open', 'handoff:complete'],
    ['diagnose:open', 'diagnose:resolved'],
    ...RETURNS.map((name) => ['diagnose:resolved', name] as const),
  ],
  gates: [
    { skill: 'dev:design', required: null, accepts: [] },
    {
      ...{ skill: 'dev:plan', required: 'design:approved' },
      accepts: ['design:approved', ...stages('plan', 'open', 'approved')],
    },
    {
      ...{ skill: 'dev:tdd', required: 'plan:approved' },
      accepts: ['plan:approved', ...stages('tdd', 'red', 'green', 'clean')],
    },
    {
      ...{ skill: 'dev:dispatch', required: 'plan:approved' },
      accepts: ['plan:approved', ...stages('tdd', 'red', 'green')],
    },
    {
      ...{ skill: 'dev:subagent', required: 'plan:approved' },
      accepts: ['plan:approved', ...stages('tdd', 'red', 'green')],
    },
    {
      ...{ skill: 'dev:review', required: 'tdd:clean' },
      accepts: ['tdd:clean', ...stages('review', ...JUDGED)],
    },
    {
      ...{ skill: 'dev:security', required: 'review:approved' },
      accepts: ['review:approved', ...stages('security', ...JUDGED)],
    },
    {
      ...{ skill: 'dev:qa', required: 'security:approved' },
      accepts: ['security:approved', ...stages('qa', ...JUDGED)],
    },
    {
      ...{ skill: 'dev:finish', required: 'qa:approved' },
      accepts: ['qa:approved', 'handoff:open'],
    },
    { skill: 'dev:diagnose', required: null, accepts: [] },
    { skill: 'dev:handoff', required: null, accepts: [] },
  ],
};
