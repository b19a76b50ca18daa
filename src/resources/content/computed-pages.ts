import { isYieldDue, yieldToEvents } from '../../contract/event-loop.ts';
import { defined } from '../../contract/values.ts';
import { defaultLayout } from '../../contract/page-layout.ts';
import type { Static } from '../../contract/schema.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { ComputedSource } from '../../content/computed-source.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';
import { openSpecification, type OpenedSpecification } from '../../content/generated/open-specification.ts';
import { seedOf } from '../../content/generated/generated-id.ts';
import {
  eachPlaced,
  findPlaced,
  placePages,
  readComputedPage,
  readGeneratedPages,
  slugsBeside,
  type PlacedPage,
} from '../../content/generated/place-pages.ts';
import { readPages, readRevision } from '../../content/revisions.ts';
import type { PageEntry } from '../../content/rows.ts';
import type { PageNode } from '../../content/tree.ts';
import { computePages, type GeneratedPage } from '../../specification/computed-pages.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ComputedDocument, PageBody } from './schemas.ts';
import { appUrl } from './shape.ts';

interface ComputedFlags {
  readonly text: 'none' | 'markdown' | 'document';
  /** Whether to include descendants (default true). */
  readonly children?: boolean;
}

interface Place {
  readonly source: ComputedSource;
  /** The seed of the IDs of the pages: the same seed gives the same IDs. */
  readonly seed: string;
  /** The path of the ancestors with a trailing slash, or ''. */
  readonly prefix: string;
  /** The slugs of sibling pages. */
  readonly taken: Iterable<string>;
  readonly page?: PageEntry | undefined;
}

/**
 * Generates the pages that replace a page of the type computed. Returns undefined if its specification does not exist or has no
 * valid version.
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

/** Generates the pages of a source. Returns undefined if its specification does not exist or has no valid version. */
export async function shapeGenerated(
  content: ContentSource,
  { page, ...place }: Place,
  flags: ComputedFlags,
): Promise<PageBody[] | undefined> {
  const { source, seed } = place;
  const opened = await openSource(content, source);
  if (opened === undefined) return undefined;
  const pages = await placePages(opened, { ...place, url: urlOf(content, opened) });
  return shapePlaced(content, pages, { opened, source, seed, page, flags });
}

function openSource(
  { tx, space }: ContentSource,
  { dependencies }: ComputedSource,
): Promise<OpenedSpecification | undefined> {
  return openSpecification(tx, space.organization, dependencies.spec.ref.spec);
}

/** The fields of generated pages besides their content. */
interface Origin extends Pick<Place, 'source' | 'seed' | 'page'> {
  readonly opened: OpenedSpecification;
  readonly flags: ComputedFlags;
}

async function shapePlaced(
  content: ContentSource,
  pages: readonly PlacedPage[],
  origin: Origin,
): Promise<PageBody[]> {
  const { source, seed, page: computedPage, flags } = origin;
  const { createdAt } = origin.opened;
  const edited = computedPage?.updatedAt ?? createdAt;
  const shaped: PageBody[] = [];
  for (const { id, slug, path, page, children } of pages) {
    if (isYieldDue()) await yieldToEvents();
    shaped.push({
      id,
      type: 'document',
      kind: 'sheet',
      title: page.title,
      ...defined({ icon: page.icon }),
      createdAt: computedPage?.createdAt ?? createdAt,
      updatedAt: edited > createdAt ? edited : createdAt,
      slug,
      path,
      pages: flags.children === false ? [] : await shapePlaced(content, children, origin),
      ...defined({ description: page.description }),
      ...(computedPage?.hidden === true ? { hidden: true } : {}),
      ...(await textOf(page, flags)),
      layout: defaultLayout,
      tags: [],
      computed: { type: source.type, dependencies: source.dependencies, props: { ...page.props } },
      computedSeed: seed,
      urls: { app: appUrl(content, `/${path}`) },
    });
  }
  return shaped;
}

/**
 * Generates one document of a specification. Returns undefined if the specification, or the part of it to show, does not exist.
 */
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
  const open = await computePages(opened.root, name, { models: true, grouping });
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

/** Returns the URL from which a specification can be downloaded. */
function urlOf({ url, space }: ContentSource, { slug }: OpenedSpecification): string {
  return url(`/v1/orgs/${space.organization}/openapi/${slug}/versions/latest/content/download`);
}

/** Finds a generated page by its ID or path, with its descendants. Generates texts only for these pages. */
export async function findComputed(
  content: ContentSource,
  wanted: { id?: string; path?: string },
  flags: ComputedFlags,
): Promise<PageBody | undefined> {
  const { tx, space } = content;
  const seed = wanted.id === undefined ? undefined : seedOf(wanted.id);
  if (wanted.id !== undefined && seed === undefined) return undefined;
  const revision = await readRevision(tx, revisionOf(content));
  for (const id of seed === undefined ? await computedIn(content, revision) : [seed]) {
    const computed = await readComputedPage(tx, revision, id);
    const opened = computed && (await openSource(content, computed.entry.computed));
    if (computed === undefined || opened === undefined) continue;
    const url = urlOf(content, opened);
    const pages = await readGeneratedPages(tx, space.organization, revision, computed, url);
    const found =
      wanted.id === undefined
        ? eachPlaced(pages).find(({ path }) => path === wanted.path)
        : findPlaced(pages, wanted.id);
    if (found === undefined) continue;
    const { entry } = computed;
    const origin = { opened, source: entry.computed, seed: id, page: entry, flags };
    return (await shapePlaced(content, [found], origin))[0];
  }
  return undefined;
}

/** Returns the IDs of the pages of the type computed. Old revisions do not store them. */
async function computedIn({ tx }: ContentSource, { id, computed }: RevisionRow): Promise<readonly string[]> {
  if (computed !== undefined) return computed;
  return (await readPages(tx, id)).flatMap((page) => (page.computed === undefined ? [] : [page.id]));
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
