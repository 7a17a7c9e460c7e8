import type { CodexSettings } from './options.ts';

/** Holds the program's key. */
export const KEY_VARIABLE = 'ATELIER_API_TOKEN';

/** What differs from one attempt to the next. */
interface Varying {
  /** Where the model API answers inside. */
  readonly port: number;
  readonly schemaFile: string;
  readonly model: string | undefined;
}

/**
 * The command line of an attempt; the briefing is never in it. All settings are given here and no file of settings is
 * read: arguments go before any file, so nothing that lies in the repository or the private HOME can undo one of them.
 */
export const argumentsOf = (
  { sandboxMode }: CodexSettings,
  { port, schemaFile, model }: Varying,
): readonly string[] => [
  'exec',
  '--json',
  '--ephemeral',
  '--ignore-user-config',
  '--ignore-rules',
  // A setting that this version does not know ends the program: without it the next one might do more than is meant.
  '--strict-config',
  '--skip-git-repo-check',
  ...['--color', 'never'],
  ...['--sandbox', sandboxMode],
  ...['--output-schema', schemaFile],
  ...(model === undefined ? [] : ['--model', model]),
  ...Object.entries({ ...PROVIDER, base_url: `http://127.0.0.1:${port}/v1` }).flatMap(
    ([key, value]) => setting(`model_providers.atelier.${key}`, value),
  ),
  ...Object.entries(SETTINGS).flatMap(([key, value]) => setting(key, value)),
  '-',
];

/**
 * A failed request is not sent again here, since the API proxy does that; a stream that breaks off is, which only the
 * program can do. A stream that stalls has broken off after a minute.
 */
const PROVIDER = {
  name: 'atelier',
  wire_api: 'responses',
  env_key: KEY_VARIABLE,
  request_max_retries: 0,
  stream_max_retries: 2,
  stream_idle_timeout_ms: 60_000,
};

const SETTINGS: Readonly<Record<string, string | number | boolean>> = {
  model_provider: 'atelier',
  // There is nobody to ask.
  approval_policy: 'never',
  // What the repository brings along for agents is text to read when the task asks for it, not instructions.
  project_doc_max_bytes: 0,
  'skills.include_instructions': false,
  'skills.bundled.enabled': false,
  'features.hooks': false,
  // Searches are run by the provider, past the walls.
  web_search: 'disabled',
  // More agents, and turns of their own accord, would not be counted as this attempt.
  'agents.enabled': false,
  'features.goals': false,
  // Otherwise it waits for ever for an API that refuses connections.
  'features.unbounded_connection_retries': false,
  'analytics.enabled': false,
  check_for_update_on_startup: false,
};

/** Texts as JSON, which is TOML as well. */
const setting = (key: string, value: string | number | boolean): readonly string[] => [
  '--config',
  `${key}=${JSON.stringify(value)}`,
];
