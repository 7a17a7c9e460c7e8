import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Schema } from './schema.ts';
import type { TeamSchema } from './team/schema.ts';

/** Every table of the file. */
type Tables = Schema & TeamSchema;

/** Stands in a query for a value that is named now and bound each time the statement runs. */
export type Slot<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** SQL that was compiled once and is run many times. */
export interface Statement<Values, Row> {
  readonly sql: string;
  /** What the query itself fixes, for its anonymous parameters. */
  readonly constants: readonly unknown[];
  /** Never there: it ties the type arguments to the statement. */
  readonly signature?: (values: Values) => Row;
}

// Builds and compiles only; it has no driver, so nothing can be run past the one connection.
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Compiles a query whose annotated slot type names the values it takes. */
export function statement<Values, Row>(
  build: (tables: Kysely<Tables>, slot: Slot<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  const { sql: text, parameters } = build(builder, (name) => sql.raw(`@${name}`)).compile();
  return { sql: text, constants: parameters };
}
