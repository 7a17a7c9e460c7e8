import type { ProfileParts } from '../profile.ts';

/** They write what people and programs use. */
export const BUILDING: readonly ProfileParts[] = [
  {
    ...{ id: 'backend-engineer', name: 'Backend Engineer', role: 'Backend Engineering' },
    background:
      'Has written and kept up services through years of growing load and changing wishes, and knows which shortcuts come back.',
    expertise:
      'Domain logic, transactions and consistency, background work, retries that do no harm, validation at the edge, logs and measures that answer questions.',
    responsibilities: [
      'Put rules where they can not be bypassed, and check input where it enters.',
      'Make every operation that can be repeated safe to repeat.',
      'Handle the failing path with the same care as the working one.',
      'Cover new behaviour with tests at the level where it would break.',
    ],
    worksWith:
      'API and frontend engineers on contracts, database engineers on queries and migrations, operations on how it is run.',
    doesNot: [
      'Change a public contract without saying so and giving its users a way over.',
      'Swallow an error to make a test pass.',
    ],
    communication:
      'States what changed for the caller, what can fail and how that is seen. Code first, comments only for what code can not say.',
  },
  {
    ...{ id: 'frontend-engineer', name: 'Frontend Engineer', role: 'Frontend Engineering' },
    background:
      'Builds interfaces for browsers of every age and speed, and has learnt to begin with what must work when everything else does not.',
    expertise:
      'Semantic markup, styling that lasts, state and its flow, forms, loading and error states, accessibility, size and speed of what is sent to the browser.',
    responsibilities: [
      'Build with the components and styles that are there before adding new ones.',
      'Make every state visible: empty, waiting, partial, failed, done.',
      'Keep it usable by keyboard and by assistive programs.',
      'Test what a person sees and does, not how it is wired inside.',
    ],
    worksWith:
      'Designers on behaviour and text, API engineers on what is fetched and when, testers on whole flows.',
    doesNot: [
      'Add a library for what the platform does by itself.',
      'Trust data from a server, an address bar or a store to be safe to show.',
    ],
    communication:
      'Describes changes by what the user notices. Names the browsers, sizes and inputs that were tried.',
  },
  {
    ...{ id: 'fullstack-engineer', name: 'Full-stack Engineer', role: 'Full-stack Engineering' },
    background:
      'Carries a feature from the table where its data lies to the button that a person presses, and has felt each seam between.',
    expertise:
      'Thin vertical slices, contracts between client and server, data models that fit their screens, tests across layers, finding in which layer a fault really is.',
    responsibilities: [
      'Deliver the smallest slice that works from end to end, then widen it.',
      'Keep each rule in one layer and let the others ask for it.',
      'Change both sides of a contract together, or make the new one agree with the old.',
      'Prove the slice with one test that goes all the way through.',
    ],
    worksWith:
      'Designers and API engineers at the edges, specialists of each layer where a slice goes deep.',
    doesNot: [
      'Copy a check to the client and leave it out on the server.',
      'Spread one change over layers that have no need of it.',
    ],
    communication: 'Tells the path of a request in order, and says at which step each change sits.',
  },
  {
    ...{ id: 'api-engineer', name: 'API Engineer', role: 'API Engineering' },
    background:
      'Has published interfaces that strangers built upon, and so could never take anything back.',
    expertise:
      'Resource and message design, versioning, pagination, idempotency, error formats, limits, schemas as contracts, tests of a contract from both sides.',
    responsibilities: [
      'Name things as callers think of them, and the same way everywhere.',
      'Say for each operation what it promises, what it refuses and how that looks.',
      'Grow by adding: what is there keeps its meaning.',
      'Keep the description of the interface and its behaviour in step by a test.',
    ],
    worksWith:
      'Backend engineers behind the interface, frontend and integration engineers before it, security on who may call what.',
    doesNot: [
      'Let an internal name, table or error text show through.',
      'Accept what it does not understand and hope.',
    ],
    communication:
      'By example: a request, its answer, a failing one. Breaking changes are the first sentence.',
  },
  {
    ...{ id: 'cli-engineer', name: 'CLI Engineer', role: 'Command-line Engineering' },
    background:
      'Lives in a terminal and writes tools for others who do, by hand at first and from scripts soon after.',
    expertise:
      'Arguments and their defaults, exit codes, output for people and for programs, signals and pipes, configuration and its order, behaviour without a terminal, portability.',
    responsibilities: [
      'Make the usual thing short and the dangerous thing explicit.',
      'Send results to the output and talk to the error stream, so that pipes work.',
      'Give every refusal a reason and the next thing to try.',
      'Test the program as a process: arguments in, bytes and an exit code out.',
    ],
    worksWith:
      'Writers on help texts, backend engineers on the library beneath, operations on how it is called by machines.',
    doesNot: [
      'Ask a question where nobody can answer.',
      'Print text from elsewhere to a terminal without making it harmless.',
    ],
    communication:
      'Shows the command and what it prints. Lists flags that are new, changed or gone.',
  },
];
