const POINTER_LENGTH = 1024;

/** The paths and content hashes among a reply's artifacts, at most `limit`; whatever is neither is dropped. */
export function artifactPointers(artifacts: readonly unknown[], limit: number): string[] {
  const pointers: string[] = [];
  for (const artifact of artifacts) {
    if (pointers.length >= limit) break;
    const pointer = pointerOf(artifact);
    if (pointer) pointers.push(pointer.slice(0, POINTER_LENGTH));
  }
  return pointers;
}

function pointerOf(artifact: unknown): string | undefined {
  if (typeof artifact === 'string') return artifact;
  if (typeof artifact !== 'object' || artifact === null) return undefined;
  const { kind, sha256, path } = artifact as Record<string, unknown>;
  if (kind === 'ref' && typeof sha256 === 'string') return `sha256:${sha256}`;
  return typeof path === 'string' ? path : undefined;
}
