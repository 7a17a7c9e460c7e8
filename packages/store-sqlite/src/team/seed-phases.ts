import type { PhaseCatalogue } from './phase-catalogue.ts';

/** The statement that fills the tables of phases, transitions and gates from a catalogue. */
export function seedPhases({ phases, transitions, gates }: PhaseCatalogue): string {
  return [
    insert(
      'phases',
      phases.map(({ name, skill, description, terminal, fromAnywhere }, position) => [
        ...[name, position, skill, description],
        ...[Number(terminal), Number(fromAnywhere)],
      ]),
    ),
    insert('phase_transitions', transitions),
    insert(
      'skill_gates',
      gates.map(({ skill, required }) => [skill, required]),
    ),
    insert(
      'skill_gate_phases',
      gates.flatMap(({ skill, accepts }) => accepts.map((name) => [skill, name])),
    ),
  ].join(';\n');
}

type Literal = string | number | null;

const insert = (table: string, rows: readonly (readonly Literal[])[]): string =>
  `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n')}`;

const literal = (value: Literal): string => {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? `${value}` : `'${value.replaceAll("'", "''")}'`;
};
