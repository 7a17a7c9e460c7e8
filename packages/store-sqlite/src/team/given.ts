import { printable } from '@atelier/envelope';
import { StoreError } from '../error.ts';

const LONGEST_NAME = 200;

/** A name that rows are found by: 1 to 200 characters, well formed, none of them a control. Throws `STORE_BAD_NAME`. */
export function givenName(value: string, what: string): string {
  if (value.length >= 1 && value.length <= LONGEST_NAME && !/[\p{Cc}\p{Cs}]/u.test(value))
    return value;
  throw new StoreError(
    'STORE_BAD_NAME',
    `${what} is no name: ${printable(value, 40)}`,
    `Nothing was written. Give ${what} as 1 to ${LONGEST_NAME} characters without controls.`,
  );
}

/** A text that people read and that has to be there, of at most `longest` characters. Throws `STORE_BAD_TEXT`. */
export function givenText(value: string, what: string, longest: number): string {
  if (value.trim() !== '' && value.length <= longest) return value.toWellFormed();
  throw new StoreError(
    'STORE_BAD_TEXT',
    `${what} is blank or longer than ${longest} characters`,
    `Nothing was written. Give ${what} as a text that says something.`,
  );
}
