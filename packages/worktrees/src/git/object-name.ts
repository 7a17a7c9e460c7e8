/** Whether a text is the full name of an object: what it stands for never changes. */
export const isObjectName = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
