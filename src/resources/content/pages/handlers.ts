import type { PageBody } from '../schemas.ts';
import { later } from '../../../core/later.ts';
import { notFound } from '../../../errors/problem.ts';
import { readPages } from '../revisions.ts';
import { checkTextSize, revisionOf, shapePage, shapePages, type Content } from '../shape.ts';
import { buildTree, type PageNode } from '../tree.ts';

type PagesQuery = { readonly metadata?: boolean; readonly texts?: boolean };
type PageQuery = PagesQuery & { readonly format?: 'document' | 'markdown' };

export async function listPages(content: Content, { query }: { readonly query: PagesQuery }): Promise<{ pages: PageBody[] }> {
  const { roots, byId } = buildTree(await readPages(content.tx, revisionOf(content)));
  const flags = { metadata: query.metadata, text: query.texts === false ? 'none' : 'markdown' } as const;
  checkTextSize(byId.values(), flags);
  return { pages: await shapePages(content, roots, flags) };
}

export async function getPage(content: Content, { params, query }: { readonly params: { readonly pageId: string }; readonly query: PageQuery }): Promise<PageBody> {
  const { byId } = buildTree(await readPages(content.tx, revisionOf(content)));
  return showPage(content, byId.get(params.pageId), params.pageId, query);
}

export async function getPageByPath(content: Content, { params, query }: { readonly params: { readonly pagePath: string }; readonly query: PageQuery }): Promise<PageBody> {
  const { byPath } = buildTree(await readPages(content.tx, revisionOf(content)));
  const path = params.pagePath.replace(/^\//, '').replace(/\/$/, '');
  return showPage(content, byPath.get(path), params.pagePath, query);
}

export const listPageLinks = later;
export const listPageBacklinks = later;

/** The page with its text; those under it come with theirs unless the caller does without. */
async function showPage(content: Content, node: PageNode | undefined, name: string, { metadata, texts, format = 'markdown' }: PageQuery): Promise<PageBody> {
  if (node === undefined) throw notFound('page', name);
  if (texts !== false) checkTextSize(eachUnder(node), { text: format });
  const page = await shapePage(content, { ...node, children: [] }, { metadata, text: format });
  return node.page.type === 'link' ? page : { ...page, pages: await shapePages(content, node.children, { metadata, text: texts === false ? 'none' : format }) };
}

function* eachUnder(node: PageNode): Generator<PageNode> {
  yield node;
  for (const child of node.children) yield* eachUnder(child);
}
