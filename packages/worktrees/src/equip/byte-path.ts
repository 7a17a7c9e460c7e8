/** A path as bytes: in the Latin-1 text that paths are handled in here, each character is a byte. */
export const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');

/** A path of the host, which is text, in that form. */
export const bytePath = (path: string): string => Buffer.from(path).toString('latin1');

/** A path for people and patterns; bytes that are not UTF-8 become U+FFFD. */
export const textOf = (path: string): string => bytesOf(path).toString('utf8');
