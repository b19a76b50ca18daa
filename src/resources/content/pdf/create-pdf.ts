import type { HandlerFile } from '../../../contract/file.ts';
import { notFound } from '../../../errors/problem.ts';
import { readPage } from '../../../content/revisions.ts';
import { defined } from '../../../contract/values.ts';
import type { PdfQuery } from './read-book.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

/**
 * Makes the address where the PDF of a space or of a change request can be downloaded.
 * @throws Problem(not-found) where the page does not exist.
 */
export async function createPdfUrl(content: ContentSource, query: PdfQuery): Promise<{ url: string }> {
  const { tx, url, space, changeRequest } = content;
  if (query.page !== undefined && (await readPage(tx, revisionOf(content), query.page)) === undefined)
    throw notFound('page', query.page);
  const path = `/v1/spaces/${space.id}${changeRequest === undefined ? '' : `/change-requests/${changeRequest.id}`}`;
  const search = new URLSearchParams(defined({ page: query.page, only: query.only?.toString() })).toString();
  return { url: url(`${path}/pdf/download${search === '' ? '' : `?${search}`}`) };
}

/** Makes the PDF of a space or of a change request. Reads all that it needs now, and renders after the transaction. */
export async function createPdf(content: ContentSource, query: PdfQuery): Promise<HandlerFile> {
  const { readBook } = await import('./read-book.ts');
  const book = await readBook(content, query);
  const { space, changeRequest } = content;
  return {
    name: `${changeRequest?.subject || space.title}.pdf`,
    contentType: 'application/pdf',
    bytes: async ({ signal, onProgress }) => {
      const { renderPdf } = await import('../../../pdf/render-pdf.ts');
      return (await renderPdf(book, { signal, onProgress })).bytes;
    },
  };
}
