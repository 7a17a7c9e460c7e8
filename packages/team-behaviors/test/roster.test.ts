import { describe, expect, it } from 'vitest';
import {
  CORE_PERSONAS,
  GENERIC_WORKER,
  loadPersonas,
  type Persona,
  personaOfTask,
  resolvePersona,
  rosterOf,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';

const core = rosterOf(CORE_PERSONAS);

const messageOf = (call: () => unknown): string => {
  try {
    call();
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('the core roster', () => {
  it('TB-74: has about twenty personas, each of its own role and words', () => {
    expect([...core.ids]).toEqual([
      ...['api-engineer', 'appsec-engineer', 'backend-engineer', 'cli-engineer'],
      ...['code-reviewer', 'data-engineer', 'database-engineer', 'devops-engineer'],
      ...['frontend-engineer', 'fullstack-engineer', 'performance-engineer', 'pm', 'qa-engineer'],
      ...['release-manager', 'sdet', 'security-engineer', 'software-architect', 'sre'],
      ...['technical-writer', 'ux-designer'],
    ]);
    for (const key of ['name', 'role', 'profile'] as const)
      expect(new Set(CORE_PERSONAS.map((persona) => persona[key])).size).toBe(20);
  });

  it.each([GENERIC_WORKER, ...CORE_PERSONAS].map((persona) => [persona.id, persona] as const))(
    'TB-71: %s has every section, in order, and is short',
    (_, { profile }) => {
      expect(profile.match(/^[A-Z][A-Za-z ]+(?=:)/gmu)).toEqual([
        ...['Background', 'Expertise', 'Responsibilities', 'Works with', 'Does not'],
        'Communication style',
      ]);
      expect(profile.length).toBeGreaterThan(600);
      expect(profile.length).toBeLessThan(1600);
    },
  );
});

describe('resolving', () => {
  it('TB-72: whom the roster does not have is named, and so are all whom it has', () => {
    expect(resolvePersona(core, 'pm')).toContain('Background:');
    for (const id of ['nobody', 'constructor', '__proto__', '', null, undefined, 7, ['pm']])
      expect(codeOf(() => resolvePersona(core, id))).toBe('PERSONA_NOT_IN_ROSTER');
    const message = messageOf(() => resolvePersona(core, 'nobody\u001b'));
    expect(message).toContain('nobody\\x1b is not in the roster');
  });

  it('a task without a persona gets a worker without a speciality; a named one must exist', () => {
    expect(personaOfTask(core, {})).toBe(GENERIC_WORKER);
    expect(personaOfTask(core, { assigned_persona: null })).toBe(GENERIC_WORKER);
    expect(personaOfTask(core, { assigned_to: 'pm' }).id).toBe('pm');
    expect(personaOfTask(core, { assigned_persona: 'sre', assigned_to: 'pm' }).id).toBe('sre');
    expect(codeOf(() => personaOfTask(core, { assigned_persona: 'nobody' }))).toBe(
      'PERSONA_NOT_IN_ROSTER',
    );
    expect(codeOf(() => personaOfTask(core, { assigned_to: 'worker' }))).toBe(
      'PERSONA_NOT_IN_ROSTER',
    );
  });
});

describe('a roster', () => {
  const persona = (id: string): Persona => ({ id, name: id, role: id, profile: id });
  const faultOf = (...ids: string[]) => messageOf(() => rosterOf(ids.map(persona)));

  it.each(['A', 'a', '1a', 'a_b', 'a b', `a${'b'.repeat(62)}`, 'é', 'a\n'])(
    'TB-74: refuses the id %j',
    (id) => {
      expect(faultOf(id)).toContain('is no id of a persona');
    },
  );

  it('refuses what is there twice, is reserved, or could be taken for another in a chat, all in one error', () => {
    expect(faultOf('pm', 'pm', 'worker', 'be', 'be-2', 'fe-2', 'be-5')).toBe(
      'TeamError: the roster can not be used: pm is there twice; worker is reserved; be-2 could be taken for another',
    );
    expect(faultOf('be-3', 'be')).toContain('be could be taken for another');
    expect(faultOf('be-1', 'be-2', `a${'b'.repeat(61)}`)).toBe('');
  });
});

describe('personas of a user', () => {
  const entry = { agent_id: 'my-1', name: 'Mine', role_name: 'R', profile: 'Text.' };
  const load = (...texts: unknown[]) =>
    loadPersonas(
      texts.map((text, index) => ({
        name: `${9 - index}.json`,
        text: typeof text === 'string' ? text : JSON.stringify(text),
      })),
    );

  it('TB-70: come one in a file or many, in the order of the files’ names', () => {
    const list = [entry, { ...entry, agent_id: 'my-2', 'x-note': 1 }];
    expect(load(list, { ...entry, agent_id: 'first' }).map(({ id }) => id)).toEqual([
      ...['first', 'my-1', 'my-2'],
    ]);
    expect(load(entry)).toEqual([{ id: 'my-1', name: 'Mine', role: 'R', profile: 'Text.' }]);
    expect(load()).toEqual([]);
  });

  it('TB-70: with faults are refused, all faults in one error, by file and place', () => {
    const { profile: _, ...without } = entry;
    const message = messageOf(() =>
      load([entry, without, { ...entry, name: 7 }], '{', { ...entry, skils: [] }, '"pm"', 'null'),
    );
    for (const fault of [
      '9.json: persona 2: profile is missing',
      '9.json: persona 3: name is no text',
      '8.json: is no JSON: SyntaxError:',
      '7.json: skils is no key of a persona',
      '6.json: is no object with agent_id, name, role_name, profile',
      '5.json: is no object',
    ])
      expect(message).toContain(fault);
  });

  it('that are too long, or do not own what they need, are refused', () => {
    expect(messageOf(() => load({ ...entry, profile: 'x'.repeat(8001) }))).toContain('longer than');
    expect(messageOf(() => load(' '.repeat(1_048_577)))).toContain('longer than 1 MiB');
    expect(messageOf(() => load('{"__proto__": {"agent_id": "pm"}}'))).toContain('is missing');
    const many = Array.from({ length: 30 }, () => ({}));
    expect(messageOf(() => load(many))).toContain('and 100 more');
  });

  it('are judged with all others', () => {
    const own = load({ ...entry, agent_id: 'pm' });
    expect(messageOf(() => rosterOf([...CORE_PERSONAS, ...own]))).toContain('pm is there twice');
  });
});
