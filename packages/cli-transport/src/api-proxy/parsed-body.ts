const OPENS_OR_PARTS: ReadonlySet<number> = new Set([...'{[,'].map((sign) => sign.charCodeAt(0)));

/** More members than any conversation has. A body of nothing but members takes many times its bytes once it is read. */
const MEMBERS = 1_500_000;

/** A body as it was understood, and as it is sent on. */
export interface ParsedBody {
  readonly value: object;
  readonly bytes: Buffer;
}

/**
 * The JSON object that a body is; undefined for any other body, and for one too deep to be written again. It is written
 * anew, so that nothing goes by that another reader takes for something else, like a member that is there twice.
 */
export function parsedBody(body: Buffer): ParsedBody | undefined {
  let members = 0;
  for (const sign of body) if (OPENS_OR_PARTS.has(sign)) members += 1;
  if (members > MEMBERS) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value, bytes: Buffer.from(JSON.stringify(value)) }
      : undefined;
  } catch {
    return undefined;
  }
}
