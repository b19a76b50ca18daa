import type { RichDocumentValue } from '../../../contract/shapes.ts';
import type { PageBody } from '../schemas.ts';
import { notFound } from '../../../errors/problem.ts';
import type { PageQuery as ListQuery } from '../../../core/listing.ts';
import { listBacklinksOfPage, listLinksOfPage, type LinksQuery } from '../links/list-links.ts';
import { findPageByPath, readPageNode } from '../../../content/page-node.ts';
import { Deferred } from '../../../core/handler.ts';
import { isSlowToRead } from '../../../richtext/guard.ts';
import { documentId } from '../document-id.ts';
import { evaluationOf, type EvaluationQuery } from '../evaluation-of.ts';
import type { BlockViewer } from '../blocks/render-blocks.ts';
import { ReferenceResolver } from '../../../content/links/reference-resolver.ts';
import { readContent, readPage, readPages } from '../../../content/revisions.ts';
import { hasIntegrationPages, withIntegrationPages } from '../integration-pages/with-pages.ts';
import { checkTextSize, shapeAllPages, shapePage, shapePages, type PagesQuery } from '../shape.ts';
import { buildTree, type PageNode } from '../../../content/tree.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

type PageQuery = PagesQuery &
  EvaluationQuery & {
    readonly format?: 'document' | 'markdown';
    readonly blocks?: boolean;
    readonly 'format.markdown.refs'?: 'relative' | 'stable';
  };

/** Handles the operations that list pages of a space, change request or revision. */
export async function listPages(
  content: ContentSource,
  { query }: { query: PagesQuery },
): Promise<Deferred<{ pages: PageBody[] }>> {
  const entries = await readContent(content.tx, revisionOf(content));
  const { pages, flags } = await shapeAllPages(content, entries, query);
  return withIntegrationPages(content, entries, { pages }, flags);
}

/** Handles the operations that read one page by ID. */
export async function getPage(
  content: ContentSource & BlockViewer,
  { params, query }: { params: { pageId: string }; query: PageQuery },
): Promise<Deferred<PageBody>> {
  return finishPage(content, query, await getPageBody(content, params.pageId, query));
}

/** Returns a page, which may be generated or computed. @throws Problem(not-found) */
async function getPageBody(
  content: ContentSource,
  id: string,
  query: PageQuery,
): Promise<PageBody | Deferred<PageBody>> {
  return (await showPage(content, id, query)) ?? (await showGenerated(content, { id }, query));
}

/** Handles the operations that read one page by path. */
export async function getPageByPath(
  content: ContentSource & BlockViewer,
  { params, query }: { params: { pagePath: string }; query: PageQuery },
): Promise<Deferred<PageBody>> {
  const path = params.pagePath.replace(/^\//, '').replace(/\/$/, '');
  const id = await findPageByPath(content.tx, revisionOf(content), path);
  const page = id === undefined ? undefined : await showPage(content, id, query);
  return finishPage(content, query, page ?? (await showGenerated(content, { path }, query)));
}

/** Adds the blocks of integrations if the query asks for them, and the descendants that integrations compute. */
async function finishPage(
  viewer: ContentSource & BlockViewer,
  { blocks = false, computed, texts, format = 'markdown' }: PageQuery,
  page: PageBody | Deferred<PageBody>,
): Promise<Deferred<PageBody>> {
  if (page instanceof Deferred) return page;
  const { pages = [] } = page;
  const hasBlocks = blocks && page.type === 'document';
  if (computed !== false && hasIntegrationPages(pages)) {
    const { computeAll } = await import('../integration-pages/compute-pages.ts');
    const text = texts === false ? 'none' : format;
    return new Deferred(async (services) => {
      const [whole = page] = await computeAll(services, viewer, [page], { text });
      return hasBlocks ? (await addBlocks(viewer, whole)).make(services) : whole;
    });
  }
  if (!hasBlocks) return new Deferred(async () => page);
  if (viewer.onHeavy !== undefined && page.document === undefined && isSlowToRead(page.markdown ?? ''))
    viewer.onHeavy();
  return addBlocks(viewer, page);
}

async function addBlocks(viewer: BlockViewer, page: PageBody): Promise<Deferred<PageBody>> {
  return (await import('../blocks/page-blocks.ts')).addBlocks(viewer, page);
}

/** Handles the operation that reads the document of a page. */
export async function getPageDocument(
  content: ContentSource,
  { params, query }: { params: { pageId: string }; query: EvaluationQuery },
): Promise<Deferred<RichDocumentValue>> {
  const page = await readPage(content.tx, revisionOf(content), params.pageId);
  if (page !== undefined) {
    const { readEntryDocument } = await import('../read-document.ts');
    const document = await readEntryDocument(content, page, evaluationOf(query));
    return new Deferred(async () => document);
  }
  const found = await showGenerated(content, { id: params.pageId }, { format: 'document' });
  return new Deferred(async (services) => {
    const { document } = found instanceof Deferred ? await found.make(services) : found;
    if (document === undefined) throw notFound('page', params.pageId);
    return document;
  });
}

/** Handles the operations that read the links of a page to its original and its other versions. */
export async function listPageMetaLinks(
  content: ContentSource,
  { params }: { params: { pageId: string } },
): Promise<Deferred<NonNullable<PageBody['metaLinks']>>> {
  const found = await getPageBody(content, params.pageId, { texts: false });
  return new Deferred(async (services) => {
    const { metaLinks = {} } = found instanceof Deferred ? await found.make(services) : found;
    return metaLinks;
  });
}

export const listPageLinks = (
  content: ContentSource,
  { params, query }: { params: { pageId: string }; query: LinksQuery },
) => listLinksOfPage(content, params.pageId, query);

export const listPageBacklinks = (
  content: ContentSource,
  { params, query }: { params: { pageId: string }; query: ListQuery },
) => listBacklinksOfPage(content, params.pageId, query);

/** Returns a page that is generated from a specification, or computed by an integration. @throws Problem(not-found) */
async function showGenerated(
  content: ContentSource,
  wanted: { id?: string; path?: string },
  { computed, format = 'markdown' }: PageQuery,
): Promise<PageBody | Deferred<PageBody>> {
  const missing = () => notFound('page', wanted.id ?? wanted.path ?? '');
  if (computed === false) throw missing();
  const { findComputed } = await import('../computed-pages.ts');
  const page = await findComputed(content, wanted, { text: format });
  if (page !== undefined) return page;
  const entries = await readPages(content.tx, revisionOf(content));
  if (!entries.some(({ source }) => source !== undefined)) throw missing();
  const { findIntegrationPage } = await import('../integration-pages/compute-pages.ts');
  const pages = await shapePages(content, buildTree(entries).roots, { text: 'none' });
  return findIntegrationPage(content, pages, wanted, { text: format });
}

/**
 * Returns a page with its text, and its descendants with their texts unless the query excludes them. Returns undefined if the
 * page does not exist.
 *
 * @throws Problem(too-large)
 */
async function showPage(content: ContentSource, id: string, query: PageQuery): Promise<PageBody | undefined> {
  const node = await readPageNode(content.tx, revisionOf(content), id);
  const { metadata, texts, format = 'markdown' } = query;
  const references = new ReferenceResolver(content);
  const evaluation = evaluationOf(query);
  const refs = query['format.markdown.refs'];
  if (node === undefined) return undefined;
  if (texts !== false) checkTextSize(eachUnder(node), { text: format });
  const page = await shapePage(
    content,
    { ...node, children: [] },
    { metadata, text: format, evaluation, references, refs },
  );
  const { size, type } = node.page;
  return type === 'link'
    ? page
    : {
        ...page,
        ...(type === 'document' && size > 0 ? { documentId: documentId(revisionOf(content), id) } : {}),
        pages: await shapePages(content, node.children, {
          metadata,
          text: texts === false ? 'none' : format,
          evaluation,
          references,
          refs,
          computed: query.computed,
        }),
      };
}

function* eachUnder(node: PageNode): Generator<PageNode> {
  yield node;
  for (const child of node.children) yield* eachUnder(child);
}
