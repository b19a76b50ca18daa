import type { HandlerFile } from '../../../contract/file.ts';
import { notFound } from '../../../errors/problem.ts';
import { readPage } from '../../../content/revisions.ts';
import type { PdfQuery } from './read-book.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

/** The address where the PDF of a space or of a change request can be downloaded. */
export async function createPdfUrl(content: ContentSource, query: PdfQuery): Promise<{ url: string }> {
  const { tx, url, space, changeRequest } = content;
  if (query.page !== undefined && (await readPage(tx, revisionOf(content), query.page)) === undefined)
    throw notFound('page', query.page);
  const place = changeRequest === undefined ? '' : `/change-requests/${changeRequest.id}`;
  const asked = new URLSearchParams({
    ...(query.page === undefined ? {} : { page: query.page }),
    ...(query.only === undefined ? {} : { only: String(query.only) }),
  });
  return {
    url: url(`/v1/spaces/${space.id}${place}/pdf/download${asked.size === 0 ? '' : `?${asked.toString()}`}`),
  };
}

/** The PDF itself: what it needs is read here, and it is made after the transaction. */
export async function createPdf(content: ContentSource, query: PdfQuery): Promise<HandlerFile> {
  // Reading Markdown is loaded for this only.
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
