/** Turns a path into the text by which it is compared: composed, and without case where the files have none. */
export const foldedBy = (foldCase: boolean | undefined): ((path: string) => string) =>
  foldCase
    ? // Upwards first, since some letters have two small forms.
      (path) => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
    : (path) => path.normalize('NFC');
