import type { HandlerFile } from '../../../contract/file.ts';
import { readPage } from '../../../content/revisions.ts';
import { defined } from '../../../contract/values.ts';
import { Deferred, type RequestContext } from '../../../core/handler.ts';
import { seedOf } from '../../../content/generated/generated-id.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import type { BookPage } from '../../../pdf/book.ts';
import type { BlockViewer } from '../blocks/render-blocks.ts';
import { checkChoice, type PdfQuery } from './check-choice.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

/**
 * Creates the URL for downloading the PDF of a space or of a change request.
 *
 * @throws Problem(not-found), or Problem(invalid-input) for a page that cannot be printed
 */
export async function createPdfUrl(content: ContentSource, query: PdfQuery): Promise<{ url: string }> {
  const { tx, url, space, changeRequest } = content;
  const { page, only } = query;
  const stored =
    page === undefined ? undefined : await readPage(tx, revisionOf(content), seedOf(page) ?? page);
  checkChoice(query, stored);
  const path = `/v1/spaces/${space.id}${changeRequest === undefined ? '' : `/change-requests/${changeRequest.id}`}`;
  const search = new URLSearchParams(defined({ page, only: only?.toString() })).toString();
  return { url: url(`${path}/pdf/download${search === '' ? '' : `?${search}`}`) };
}

/**
 * Creates the PDF of a space or of a change request. Reads its data now. Renders after the transaction, together with the blocks
 * and pages of integrations.
 */
export async function createPdf(
  content: ContentSource & BlockViewer & Pick<RequestContext, 'onHeavy'>,
  query: PdfQuery,
): Promise<Deferred<HandlerFile>> {
  content.onHeavy?.();
  const { readBook } = await import('./read-book.ts');
  const { places, stored, addTarget, ...book } = await readBook(content, query);
  const { space, changeRequest } = content;
  return new Deferred(async (services) => {
    const { fillPlaces } = await import('./computed-book-pages.ts');
    const all = await fillPlaces(services, content, places, stored);
    for (const page of all) addTarget(page);
    return {
      name: `${changeRequest?.subject || space.title}.pdf`,
      contentType: 'application/pdf',
      bytes: async ({ signal, onProgress }) => {
        const [{ renderPdf }, { blockDrawer }] = await Promise.all([
          import('../../../pdf/render-pdf.ts'),
          import('../blocks/page-blocks.ts'),
        ]);
        const draw = blockDrawer(services, content);
        const pages = all.map((page) => withBlocks(page, draw));
        return (await renderPdf({ ...book, pages }, { signal, onProgress })).bytes;
      },
    };
  });
}

/** Returns a page that draws its blocks of integrations when it is drawn itself. */
function withBlocks(
  { document, ...page }: BookPage,
  draw: (document: RichDocumentValue) => Promise<RichDocumentValue>,
): BookPage {
  if (document === undefined) return page;
  return {
    ...page,
    document: async () => {
      const read = await document();
      return read === null ? null : draw(read);
    },
  };
}
