import type { CST } from 'yaml';

/**
 * True when collections are nested deeper than the limit. Looks at the tokens, because composing them recurses and
 * near the end of the stack takes the whole process down.
 */
export function isDeeper(tokens: readonly CST.Token[], limit: number): boolean {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap(contents).filter((token) => 'items' in token);
  }
  return false;
}

function contents(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].flatMap((part) => part ?? []));
}
