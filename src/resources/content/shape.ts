import type { Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
import { readBlob } from '../../content/blobs.ts';
import type { Evaluation } from '../../content/evaluate.ts';
import { defined } from '../../contract/values.ts';
import { documentId } from './document-id.ts';
import type { File, PageBody, ReusableContent } from './schemas.ts';
import { ReferenceResolver } from '../../content/links/reference-resolver.ts';
import { defaultSettings, hasOwnSettings, shapeSettings } from './shape-settings.ts';
import { buildTree, type PageNode } from '../../content/tree.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from '../../content/rows.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';

export interface PageFlags {
  readonly metadata?: boolean | undefined;
  /** The format of texts; `none` leaves them out. */
  readonly text: 'none' | 'markdown' | 'document';
  readonly evaluation?: Evaluation;
  /** The form of links in Markdown (default: as in the source). */
  readonly refs?: 'relative' | 'stable' | undefined;
  readonly references?: ReferenceResolver;
  /** With false, no pages are generated from specifications. */
  readonly computed?: boolean | undefined;
}

/** The options of a query for all pages of a content. If `texts` or `computed` is false, these are left out. */
export interface PagesQuery {
  readonly metadata?: boolean;
  readonly texts?: boolean;
  readonly computed?: boolean;
}

/** Maximum size of the texts in one response, in bytes, by the format of the texts. */
const maxTextBytes = { markdown: 64 * 1024 * 1024, document: 4 * 1024 * 1024 };
/** Returns a page and its descendants in the form of the API. */
export async function shapePage(content: ContentSource, node: PageNode, flags: PageFlags): Promise<PageBody> {
  const { path } = node;
  const page = await evaluateTitles(content, node.page, flags.evaluation);
  const base = {
    id: page.id,
    title: page.title,
    ...pickDefined(page, 'linkTitle', 'emoji', 'icon'),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    ...pickDefined(page, 'hidden'),
    ...(flags.metadata === false ? {} : pickDefined(page, 'git')),
  };
  const computed = page.computed ?? page.source;
  if (computed !== undefined) return { ...base, type: 'computed', computed };
  const references = flags.references ?? new ReferenceResolver(content);
  if (page.type === 'link') {
    const { href = '' } = page;
    const target = await references.resolve(references.sourceOf(page, path), href);
    return { ...base, type: 'link', kind: 'link', target, href };
  }
  const pages = await shapePages(content, node.children, flags);
  const place = { slug: page.slug, path, pages, ...pickDefined(page, 'noIndex', 'noRobotsIndex') };
  if (page.type === 'group') return { ...base, type: 'group', kind: 'group', ...place };
  return {
    ...base,
    type: 'document',
    kind: 'sheet',
    ...place,
    ...pickDefined(page, 'description', 'condition'),
    ...(flags.metadata === false ? {} : defined({ hash: page.blob })),
    ...(flags.metadata === false || flags.text !== 'markdown' ? {} : pickDefined(page, 'frontMatter')),
    ...(await textOf(content, node, references, flags)),
    ...(hasOwnSettings(page)
      ? await shapeSettings(page, { space: content.space.id, path, references })
      : defaultSettings),
    urls: { app: appUrl(content, `/${path}`) },
  };
}

/** Evaluates the expressions in the titles and the description of a page. */
async function evaluateTitles(
  content: ContentSource,
  page: PageEntry,
  { evaluated }: Evaluation = {},
): Promise<PageEntry> {
  const { title, linkTitle, description } = page;
  const texts = defined({ title, linkTitle, description });
  const all = Object.values(texts).join('\n');
  if (evaluated === undefined || !all.includes('class="expression"')) return page;
  const { openExpressions } = await import('../../content/evaluate.ts');
  const expressions = await openExpressions(content, page, all, evaluated);
  if (expressions === undefined) return page;
  const { evaluateLine } = await import('../../content/evaluate-page.ts');
  const values = Object.entries(texts).map(([name, text]) => [name, evaluateLine(text, expressions)]);
  return { ...page, ...Object.fromEntries(values) };
}

/** Returns pages in the form of the API, in order. */
export async function shapePages(
  content: ContentSource,
  nodes: readonly PageNode[],
  flags: PageFlags,
): Promise<PageBody[]> {
  const pages: PageBody[] = [];
  for (const node of nodes) {
    const isComputed = node.page.computed !== undefined && flags.computed !== false;
    const generated = isComputed
      ? await (await import('./computed-pages.ts')).shapeComputed(content, node, nodes, flags)
      : undefined;
    pages.push(...(generated ?? [await shapePage(content, node, flags)]));
  }
  return pages;
}

/** Returns all pages of a content in the form of the API, and the flags that were used. @throws Problem(too-large) */
export async function shapeAllPages(
  content: ContentSource,
  entries: readonly Entry[],
  { metadata, texts, computed }: PagesQuery,
): Promise<{ pages: PageBody[]; flags: PageFlags }> {
  const { roots, byId } = buildTree(entries.filter((entry) => entry.kind === 'page'));
  const text = texts === false ? 'none' : 'markdown';
  const flags = { metadata, text, references: new ReferenceResolver(content, entries), computed } as const;
  checkTextSize(byId.values(), flags);
  return { pages: await shapePages(content, roots, flags), flags };
}

/** Checks that the texts of pages fit into one response. @throws Problem(too-large) */
export function checkTextSize(nodes: Iterable<PageNode>, flags: PageFlags): void {
  if (flags.text === 'none') return;
  let size = 0;
  for (const { page } of nodes) size += page.size;
  if (size > maxTextBytes[flags.text])
    throw new Problem('too-large', 'The text of these pages is too long for one response.', {
      hint: 'Use --no-texts (texts=false) and read the pages one by one.',
    });
}

/** Returns a file in the form of the API, with the URL of its bytes. */
export function shapeFile(
  content: ContentSource,
  file: FileEntry,
  flags: { metadata?: boolean | undefined },
): Static<typeof File> {
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: downloadUrl(content, file.id),
    size: file.size,
    ...pickDefined(file, 'dimensions'),
    ...(flags.metadata === false ? {} : { ...pickDefined(file, 'git'), hash: file.blob }),
  };
}

/** Returns the URL of the bytes of a file. */
export function downloadUrl({ url, space, changeRequest, revision }: ContentSource, id: string): string {
  const place =
    revision !== undefined
      ? `/revisions/${revision.id}`
      : changeRequest === undefined
        ? '/content'
        : `/change-requests/${changeRequest.id}/content`;
  return url(`/v1/spaces/${space.id}${place}/files/${id}/download`);
}

/** Returns a reusable content in the form of the API. */
export function shapeReusableContent(
  content: ContentSource,
  { id, title, git, size }: TextEntry,
  { metadata }: { metadata?: boolean | undefined },
): Static<typeof ReusableContent> {
  return {
    id,
    title,
    ...(metadata === false ? {} : { git }),
    ...(size === 0 ? {} : { document: documentId(revisionOf(content), id) }),
  };
}

/** Returns the address of a space, change request or revision in the application. */
export function appUrl({ url, space, changeRequest, revision }: ContentSource, path = ''): string {
  const place =
    revision !== undefined
      ? `/~/revisions/${revision.id}`
      : changeRequest === undefined
        ? ''
        : `/~/changes/${changeRequest.number}`;
  return url(encodeURI(`/o/${space.organization}/s/${space.id}${place}${path}`));
}

async function textOf(
  content: ContentSource,
  { page, path }: PageNode,
  references: ReferenceResolver,
  { text, evaluation = {}, refs }: PageFlags,
): Promise<Pick<PageBody, 'markdown' | 'document'>> {
  if (text === 'none' || page.blob === undefined) return {};
  let markdown = await readBlob(content.tx, page.blob);
  const source = references.sourceOf(page, path);
  if (text === 'document') {
    const { readDocument } = await import('./read-document.ts');
    // Parsing is slow, so other requests run between two pages.
    await new Promise(setImmediate);
    return { document: await readDocument(content, { markdown, source, page }, references, evaluation) };
  }
  const { evaluated, dereferenced } = evaluation;
  if (dereferenced === undefined && evaluated === undefined && refs === undefined) return { markdown };
  const { expandIncludes, openExpressions } = await import('../../content/evaluate.ts');
  if (dereferenced !== undefined)
    markdown = await expandIncludes(content, page.git?.path ?? '', markdown, references);
  const expressions = await openExpressions(content, page, markdown, evaluated);
  if (expressions !== undefined)
    markdown = (await import('../../content/evaluate-page.ts')).evaluateMarkdown(markdown, expressions);
  if (dereferenced !== 'true' && refs === undefined) return { markdown };
  const { labelReferences, rewriteReferences } = await import('../../content/rewrite-references.ts');
  if (dereferenced === 'true') markdown = await labelReferences(markdown, references, source);
  return {
    markdown: refs === undefined ? markdown : await rewriteReferences(markdown, references, source, refs),
  };
}

/** Picks the fields that are not undefined. */
function pickDefined<T extends object, K extends keyof T>(value: T, ...names: K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as Partial<Pick<T, K>>;
}
