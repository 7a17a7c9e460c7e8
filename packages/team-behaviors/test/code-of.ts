/** The code of what a call throws; undefined when it throws nothing. */
export function codeOf(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}
