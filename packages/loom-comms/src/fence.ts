/** Foreign text as a block that it can not end: each of its lines begins with a bar. */
export const fence = (text: string): string =>
  ['<<< chat', ...text.split('\n').map((line) => `| ${line}`), '>>>'].join('\n');
