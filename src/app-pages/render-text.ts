import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { flattenPages, isRecord } from '../contract/values.ts';
import { namesInReferences } from '../publishing/page-links.ts';
import { openSiteFiles } from '../publishing/site-files.ts';
import { isExternal } from '../render/addresses.ts';
import type { Markup } from '../render/markup.ts';
import type { RenderContext, Target } from '../render/render-context.ts';
import { renderDocument } from '../render/render-document.ts';
import { getLatestSpecContent } from '../resources/openapi/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { documentToMarkdown } from '../richtext/markdown.ts';
import { withoutTitle } from '../richtext/nodes.ts';
import { markdownToShow } from '../richtext/readable.ts';
import { fileHref, pageHref, type ContentPlace } from './content-place.ts';
import { words } from './page-parts.ts';
import { readOptional, type PageContext } from './page-view.ts';

/** Maximum number of files and specifications of one page that are looked up. */
const maxFiles = 200;
const maxSpecifications = 8;

/** Renders the text of a page in the form that its readers see. Links lead to the pages of this server. */
export async function renderPageText(
  context: PageContext,
  place: ContentPlace,
  page: PageBody,
  tree: readonly PageBody[],
  /** Returns the function that adds content after blocks of the page, such as comments. Each block has a key. */
  behindBlocks: (blocks: readonly RichNode[]) => Promise<RenderContext['behind']>,
): Promise<Markup> {
  const document = await context.texts.readInTime(place.organization, page.markdown ?? '');
  const nodes = withoutTitle(document.nodes, page.title).map((block, index) => ({
    ...block,
    key: String(index),
  }));
  const behind = await behindBlocks(nodes);
  const resolve = await createResolver(context, place, nodes, tree);
  const specification = await readSpecifications(context, place.organization, nodes);
  return render({ ...document, nodes }, { resolve, specification, behind });
}

/** Renders a text that does not belong to a page, such as a comment. It can only link to other sites. */
export function renderText(text: string | RichDocumentValue | undefined): Promise<Markup> {
  const markdown = typeof text === 'string' ? text : text === undefined ? '' : documentToMarkdown(text);
  const resolve = (ref: unknown): Target | undefined => {
    const url = isRecord(ref) && typeof ref['url'] === 'string' ? ref['url'] : '';
    return isExternal(url) ? { href: url, kind: 'external', title: url } : undefined;
  };
  return render(markdownToShow(markdown), { resolve, specification: () => undefined });
}

async function render(
  document: RichDocumentValue,
  { resolve, specification, behind }: Pick<RenderContext, 'resolve' | 'specification' | 'behind'>,
): Promise<Markup> {
  const { body } = await renderDocument(document, {
    resolve,
    specification,
    behind,
    // Content that depends on the claims of a visitor is shown. Expressions are shown instead of their values.
    evaluate: (expression) => `{{ ${expression} }}`,
    isTrue: () => true,
    words,
    icons: openSiteFiles().icons,
  });
  return body;
}

/** Returns a function that resolves the references of a page. */
async function createResolver(
  context: PageContext,
  place: ContentPlace,
  nodes: readonly RichNode[],
  tree: readonly PageBody[],
): Promise<RenderContext['resolve']> {
  const pages = new Map(flattenPages(tree).map((page) => [page.id, page]));
  const files = new Map<string, Target>();
  for (const id of [...namesInReferences(nodes, 'file')].slice(0, maxFiles)) {
    const file = await readOptional(context, place.operations.getFile, {
      params: { ...place.ref, fileId: id },
      query: { metadata: false },
    });
    if (file === undefined) continue;
    const { name, size } = file;
    files.set(id, { href: fileHref(context, place, id), kind: 'file', title: name, size });
  }
  const pageTarget = (id: string, anchor = ''): Target | undefined => {
    const page = pages.get(id);
    if (page === undefined) return undefined;
    const { title, description, icon, emoji, path } = page;
    if (path === undefined) return page.href === undefined ? undefined : urlTarget(context, page.href);
    return { href: pageHref(context, place, path) + anchor, kind: 'page', title, description, icon, emoji };
  };
  return (ref) => {
    if (!isRecord(ref)) return undefined;
    const word = (name: string): string => (typeof ref[name] === 'string' ? ref[name] : '');
    switch (ref['kind']) {
      case 'page':
        return pageTarget(word('page'));
      case 'file':
        return files.get(word('file'));
      case 'url': {
        const [, page, anchor] = /^\/pages\/([\w-]+)(#.*)?$/s.exec(word('url')) ?? [];
        if (page !== undefined) return pageTarget(page, anchor);
        const [, space, other = ''] =
          /^https:\/\/app\.gitbook\.com\/s\/([\w-]+)\/([\w-]*(?:#.*)?)$/s.exec(word('url')) ?? [];
        if (space === undefined) return urlTarget(context, word('url'));
        const path = `/o/${place.organization}/s/${space}`;
        return { href: context.href(other === '' ? path : `${path}/~/pages/${other}`), kind: 'page' };
      }
      default:
        return undefined;
    }
  };
}

/** Returns the target of an address that needs no lookup: an anchor, a page of this server, or an address of another site. */
function urlTarget({ pageOf }: PageContext, url: string): Target | undefined {
  if (url.startsWith('#')) return { href: url, kind: 'anchor' };
  const page = pageOf(url);
  if (page !== undefined) return { href: page, kind: 'page', title: url };
  return isExternal(url) ? { href: url, kind: 'external', title: url } : undefined;
}

async function readSpecifications(
  context: PageContext,
  organizationId: string,
  nodes: readonly RichNode[],
): Promise<RenderContext['specification']> {
  const found = new Map<string, Record<string, unknown>>();
  for (const specSlug of [...namesInReferences(nodes, 'spec')].slice(0, maxSpecifications)) {
    const content = await readOptional(context, getLatestSpecContent, {
      params: { organizationId, specSlug },
    });
    const [root] = Object.values(content?.filesystem ?? {});
    if (isRecord(root)) found.set(specSlug, root);
  }
  return (ref) => (isRecord(ref) ? found.get(String(ref['spec'])) : undefined);
}
