import { afterEach, beforeEach, describe, it } from 'vitest';
import { type FakeScript, fakeRunner } from '../src/index.ts';
import { livingWith, textOf, until } from './living.ts';
import { CONFINEMENTS, envelope, leaves, type Stage, spool, stage } from './stage.ts';
import { type Behaviour, TRANSPORT_CASES, type TransportFixture } from './transport-contract.ts';

const SECONDS = '100000';

function processes(on: Stage): TransportFixture {
  let attempt = 0;
  const bodies: Record<Behaviour, (reply: string) => string> = {
    replies: (reply) => `${reply}; echo busy`,
    'says nothing': () => 'echo busy',
    hangs: () => `echo busy; exec sleep ${SECONDS}`,
    'replies and hangs': (reply) => `${reply}; echo busy; exec sleep ${SECONDS}`,
  };
  return {
    transport: (behaviour) => on.transport(on.script(bodies[behaviour](leaves()))),
    order() {
      attempt += 1;
      return { order: on.order({ attempt }), reply: envelope() };
    },
    busy: ({ attempt: of }) => until(() => textOf(spool(on, of).stdout).includes('busy')),
    // The supervisor is called with the attempt's folder.
    lives: ({ attempt: of }) => livingWith(spool(on, of).path).length > 0,
  };
}

function fakes(on: Stage): TransportFixture {
  let attempt = 0;
  const hang = (signal: AbortSignal) =>
    new Promise<object>((resolve) => signal.addEventListener('abort', () => resolve({})));
  const replyText = JSON.stringify(envelope());
  const scripts: Record<Behaviour, FakeScript> = {
    replies: () => ({ replyText }),
    'says nothing': () => ({}),
    hangs: (_call, _order, signal) => hang(signal),
    'replies and hangs': () => ({ replyText }),
  };
  return {
    transport: (behaviour) => on.transport('true', { confinement: fakeRunner(scripts[behaviour]) }),
    order() {
      attempt += 1;
      return { order: on.order({ attempt }), reply: envelope() };
    },
    busy: async () => undefined,
  };
}

describe.each(CONFINEMENTS)('the Transport contract %s', (_, confinement) => {
  let on: Stage;
  beforeEach(() => {
    on = stage(confinement);
  });
  afterEach(() => on.close());
  it.each(TRANSPORT_CASES)('$name', ({ run }) => run(processes(on)));
});

describe('the Transport contract of a fake runner', () => {
  let on: Stage;
  beforeEach(() => {
    on = stage(fakeRunner(() => ({})));
  });
  afterEach(() => on.close());
  it.each(TRANSPORT_CASES)('$name', ({ run }) => run(fakes(on)));
});
