/**
 * The role that a name of the chat stands for: the role itself, or it with one number behind that the chat added.
 * Undefined for a name of somebody else.
 */
export function baseName(name: string, roles: readonly string[]): string | undefined {
  if (roles.includes(name)) return name;
  const [, base, number] = /^(.+)-(\d{1,9})$/.exec(name) ?? [];
  return base !== undefined && Number(number) > 1 && roles.includes(base) ? base : undefined;
}
