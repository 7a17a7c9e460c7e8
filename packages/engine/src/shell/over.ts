/** The reason of every abort that only says that nobody waits any more: one, since each new one costs a stack trace. */
export const OVER: DOMException = new DOMException('nobody waits for it any more', 'AbortError');
