/** So many failures of one kind in a row, across tasks, are one fault, unless the caller says otherwise. */
export const BREAK_AFTER = 3;
