import { isTooLarge } from '../richtext/guard.ts';

/** Maximum number of characters of each page, if there are several. Even dense tables of this length can be read. */
const maxPage = 50_000;

/** Distributes the operations of a page, as Markdown, over several pages if a single page would be too large to be read. */
export function splitPage<T extends { text: string }>(operations: readonly T[]): T[][] {
  const whole = operations.map(({ text }) => text).join('\n\n');
  if (whole.length <= maxPage || !isTooLarge(whole)) return [[...operations]];
  const pages: T[][] = [];
  let left = 0;
  for (const operation of operations) {
    if (operation.text.length > left) {
      left = maxPage;
      pages.push([]);
    }
    left -= operation.text.length;
    pages.at(-1)?.push(operation);
  }
  return pages;
}
