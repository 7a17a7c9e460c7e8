import { chatLine } from './chat-text.ts';
import { listOf, objectOf, parseJson, textOf } from './json-value.ts';
import { done, failed, type LoomResult } from './loom-result.ts';

const MESSAGE = 200;
const CODE = /^[A-Z][A-Z_]{0,39}$/;

/** What a tool said, out of the result of `tools/call`. Its refusals come as successes of JSON-RPC, in two forms. */
export function toolValue(result: unknown): LoomResult<unknown> {
  const { content, structuredContent, isError } = objectOf(result);
  const text = textOf(objectOf(listOf(content)[0])['text']);
  if (isError === true) {
    const code = textOf(objectOf(structuredContent)['code']);
    return failed('tool', CODE.test(code) ? code : codeInText(text), chatLine(text, MESSAGE));
  }
  const value = structuredContent ?? parseJson(text);
  return value === undefined ? failed('rpc', 'MALFORMED', 'the tool gave no value') : done(value);
}

const codeInText = (text: string): string =>
  /^MCP error (-\d{1,6})\b/.exec(text)?.[1] ?? /^([A-Z][A-Z_]{0,39}):/.exec(text)?.[1] ?? 'TOOL';
