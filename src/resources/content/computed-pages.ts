import { defaultLayout } from '../../contract/page-layout.ts';
import type { Static } from '../../contract/schema.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { ComputedSource } from '../../content/computed-source.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';
import { openSpecification, type OpenedSpecification } from '../../content/generated/open-specification.ts';
import { placePages, seedOf, slugsBeside, type PlacedPage } from '../../content/generated/place-pages.ts';
import { readPages } from '../../content/revisions.ts';
import type { PageEntry } from '../../content/rows.ts';
import { buildTree, type PageNode } from '../../content/tree.ts';
import { computePages, type GeneratedPage } from '../../specification/computed-pages.ts';
import type { ComputedDocument, PageBody } from './schemas.ts';
import { appUrl } from './shape.ts';

/** Which texts generated pages get. */
export interface ComputedFlags {
  readonly text: 'none' | 'markdown' | 'document';
}

/** Where generated pages are placed. */
interface Place {
  readonly source: ComputedSource;
  /** What the IDs of the pages are made of: the same seed gives the same IDs. */
  readonly seed: string;
  /** The path of the pages above, with a slash at its end, or ''. */
  readonly prefix: string;
  /** The slugs that pages beside them have. */
  readonly taken: Iterable<string>;
  readonly page?: PageEntry;
}

/**
 * Generates the pages of a page of the type computed, which take its place. Undefined where its specification does not exist
 * or has no valid version.
 */
export async function shapeComputed(
  content: ContentSource,
  { page, path }: PageNode,
  siblings: readonly PageNode[],
  flags: ComputedFlags,
): Promise<PageBody[] | undefined> {
  const { computed } = page;
  if (computed === undefined) return undefined;
  const slugs = siblings.flatMap((node) => (node.page.type === 'link' ? [] : [node.page.slug]));
  const before = siblings.slice(
    0,
    siblings.findIndex((node) => node.page.id === page.id),
  );
  const taken = await slugsBeside(
    content.tx,
    content.space.organization,
    slugs,
    before.flatMap(({ page: { id, computed: source } }) =>
      source === undefined ? [] : [{ source, seed: id }],
    ),
  );
  const prefix = path.slice(0, path.length - page.slug.length);
  return shapeGenerated(content, { source: computed, seed: page.id, prefix, taken, page }, flags);
}

/** Generates the pages of a source. Undefined where its specification does not exist or has no valid version. */
export async function shapeGenerated(
  content: ContentSource,
  { page: computedPage, ...place }: Place,
  flags: ComputedFlags,
): Promise<PageBody[] | undefined> {
  const { source, seed } = place;
  const { organization } = content.space;
  const opened = await openSpecification(content.tx, organization, source.dependencies.spec.ref.spec);
  if (opened === undefined) return undefined;
  const { createdAt } = opened;
  const edited = computedPage?.updatedAt ?? createdAt;
  const shape = async (pages: readonly PlacedPage[]): Promise<PageBody[]> => {
    const shaped: PageBody[] = [];
    for (const { id, slug, path, page, children } of pages)
      shaped.push({
        id,
        type: 'document',
        kind: 'sheet',
        title: page.title,
        ...(page.icon === undefined ? {} : { icon: page.icon }),
        createdAt: computedPage?.createdAt ?? createdAt,
        updatedAt: edited > createdAt ? edited : createdAt,
        slug,
        path,
        pages: await shape(children),
        ...(page.description === undefined ? {} : { description: page.description }),
        ...(computedPage?.hidden === true ? { hidden: true } : {}),
        ...(await textOf(page, flags)),
        layout: defaultLayout,
        tags: [],
        computed: { type: source.type, dependencies: source.dependencies, props: { ...page.props } },
        computedSeed: seed,
        urls: { app: appUrl(content, `/${path}`) },
      });
    return shaped;
  };
  return shape(await placePages(opened, { ...place, url: urlOf(content, opened) }));
}

/** Generates one document of a specification. Undefined where the specification, or what it is to show, does not exist. */
export async function readGenerated(
  content: ContentSource,
  { dependencies, props }: Static<typeof ComputedDocument>,
): Promise<RichDocumentValue | undefined> {
  const { organization } = content.space;
  const opened = await openSpecification(content.tx, organization, dependencies.spec.ref.spec);
  if (opened === undefined) return undefined;
  const isByOperation = props.doc === 'operation' || props.doc === 'tag';
  const grouping = isByOperation ? 'by-operation' : 'by-tag';
  const name = { slug: opened.slug, url: urlOf(content, opened) };
  const open = computePages(opened.root, name, { models: true, grouping });
  for (const page of open) {
    const { doc, page: of, method }: Static<typeof ComputedDocument>['props'] = page.props;
    if (doc === props.doc && of === props.page && method === props.method) {
      const { markdownToDocument } = await import('../../richtext/markdown.ts');
      return markdownToDocument(page.markdown());
    }
    open.push(...page.children);
  }
  return undefined;
}

/** Where the text of a specification can be downloaded. */
function urlOf({ url, space }: ContentSource, { slug }: OpenedSpecification): string {
  return url(`/v1/orgs/${space.organization}/openapi/${slug}/versions/latest/content/download`);
}

/** Finds a generated page by its ID or path, with the pages below it. */
export async function findComputed(
  content: ContentSource,
  wanted: { readonly id?: string; readonly path?: string },
  flags: ComputedFlags,
): Promise<PageBody | undefined> {
  const source = wanted.id === undefined ? undefined : seedOf(wanted.id);
  if (wanted.id !== undefined && source === undefined) return undefined;
  const { byId, roots } = buildTree(await readPages(content.tx, revisionOf(content)));
  for (const node of byId.values()) {
    if (node.page.computed === undefined || (source !== undefined && node.page.id !== source)) continue;
    const siblings = node.page.parent === null ? roots : (byId.get(node.page.parent)?.children ?? []);
    const pages = await shapeComputed(content, node, siblings, flags);
    const open = [...(pages ?? [])];
    for (const page of open) {
      if (page.id === wanted.id || page.path === wanted.path) return page;
      open.push(...(page.pages ?? []));
    }
  }
  return undefined;
}

async function textOf(
  page: GeneratedPage,
  { text }: ComputedFlags,
): Promise<Pick<PageBody, 'markdown' | 'document'>> {
  if (text === 'none') return {};
  const markdown = page.markdown();
  if (text === 'markdown') return { markdown };
  const { markdownToDocument } = await import('../../richtext/markdown.ts');
  return { document: markdownToDocument(markdown) };
}
