import { latestVersions } from '../content/generated/open-specification.ts';
import { sha256 } from '../content/hashing.ts';
import { Deferred, type Services } from '../core/handler.ts';
import { documentsOf, type SitePage } from './space-pages.ts';
import { madeApart } from './made-apart.ts';
import { notIndexed } from './answer-headers.ts';
import { missing } from './notices.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import type { EndpointAnswer } from './site-request.ts';
import type { Visit } from './visit.ts';

/** Returns the path of the PDF of a page and the pages below it. */
export function pdfHref({ shown }: OpenSpace, page: SitePage): string {
  return `${shown.base}~gitbook/pdf?page=${encodeURIComponent(page.id)}&only=yes`;
}

/** A page of a PDF, and its depth below the top pages. */
export interface ChosenPage {
  readonly page: SitePage;
  readonly depth: number;
}

/**
 * Answers with the PDF of a space, or of one of its pages (`?page=ID`; `&only=yes` leaves out the pages below it), as the visitor
 * sees it. It is made after the transaction, in another thread if there is one, so that others can read meanwhile.
 */
export async function pdfAnswer(visit: Visit, open: OpenSpace): Promise<EndpointAnswer> {
  const { request, view, cache } = visit;
  if (!view.customizationOf(open.shown).pdf.enabled) return missing(visit, open);
  const id = request.query.get('page');
  const isOnly = /^(?:yes|true)$/.test(request.query.get('only') ?? '');
  const page = id === null ? undefined : open.pages.byId.get(id);
  if (id !== null && (page === undefined || page.type === 'link')) return missing(visit, open);
  const chosen: readonly ChosenPage[] =
    page === undefined
      ? choosePages(open.pages.roots)
      : [{ page, depth: 0 }, ...(isOnly ? [] : choosePages(page.children, 1))];
  if (!chosen.some((each) => each.page.type === 'document')) return missing(visit, open);
  const specifications = await latestVersions(view.tx, view.organization.id);
  const { digest } = open.pages;
  const key = JSON.stringify([view.fingerprint(), open.shown.row.id, id, isOnly, specifications, digest]);
  const name = `${page?.title ?? view.titleOf(open.shown)}.pdf`;
  const madeOf = sha256(key);
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy':
      "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...notIndexed,
    link: `<${view.origin}${page === undefined ? open.shown.base : hrefOf(open, page)}>; rel="canonical"`,
  };
  return new Deferred(async (services: Services) => {
    const wanted = { site: view.map.site.id, key, alone: visit.answerApart === undefined };
    const body = await cache.pdfs.get(wanted, async () => {
      const made = await madeApart(visit, madeOf);
      if (made !== undefined) return made;
      const { makePdf } = await import('./make-pdf.ts');
      return makePdf(services, view, { open, chosen });
    });
    return { status: 200, headers, body, madeOf };
  });
}

/** Returns the pages to print in reading order: the listed ones, and the groups that contain them. */
function choosePages(pages: readonly SitePage[], depth = 0): ChosenPage[] {
  return pages.flatMap((page) =>
    page.isHidden ||
    page.type === 'link' ||
    (page.type === 'group' && documentsOf(page.children).length === 0)
      ? []
      : [{ page, depth }, ...choosePages(page.children, depth + 1)],
  );
}
