import type { PageEntry } from '../../../content/rows.ts';
import { notFound, Problem } from '../../../errors/problem.ts';

/** The pages of a PDF: all pages, a page with its descendants, or a single page. */
export interface PdfQuery {
  readonly page?: string;
  readonly only?: boolean;
}

/**
 * Checks that the chosen page can be printed. `entry` is the page, or the page that generated pages replace.
 *
 * @throws Problem(not-found), Problem(invalid-input)
 */
export function checkChoice({ page, only }: PdfQuery, entry: PageEntry | undefined): void {
  if (page === undefined) {
    if (only === true)
      throw new Problem('invalid-input', '"only" needs a page.', {
        hint: 'Name the page with --page (page=ID).',
      });
    return;
  }
  if (entry === undefined) throw notFound('page', page);
  // A page of the type computed is stored as a link to its source.
  if (entry.type === 'link' && entry.computed === undefined && entry.source === undefined)
    throw new Problem('invalid-input', `"${entry.title}" is a link and has no text.`, {
      hint: 'Choose another page.',
    });
}
