import type { Static } from '../../contract/schema.ts';
import { extendContext, type ReadContext, type RequestContext } from '../../core/handler.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { getExisting, type ReadTransaction } from '../../core/store.ts';
import { TrieReader } from '../../content/trie.ts';
import { GeneratedFinder } from '../../content/generated/find-generated.ts';
import { readRevision } from '../../content/revisions.ts';
import { appUrl } from '../content/shape.ts';
import type { SearchedPage } from './contract.ts';
import type { TermFinder } from './snippet.ts';
import { titleMatcher } from './title-matcher.ts';
import { type Entry, type PageEntry, type SectionRow, sections } from '../../content/rows.ts';
import type { ContentSource } from '../../content/content-source.ts';

/** Maximum number of sections that one search reads, best first. */
const maxSections = 500;
/** Maximum number of sections of one page in a response, best first. */
const maxSectionsOfPage = 8;

/**
 * Maximum number of pages whose titles are compared with the query. The index ranks titles high, so an equal title is among them.
 */
const maxCompared = 30;
/** Maximum number of sections of a page that are read to find a text to show. */
const maxTried = 5;

/** Maximum number of sections, multiplied by the words of the query, that may be searched in the main thread: about 10 ms. */
const maxWork = 200_000;

/** A page and the ids of its matching sections, best first. */
interface FoundPage {
  readonly id: string;
  readonly space: string;
  readonly hits: string[];
}

/** Finds the pages of these spaces that match a query, ordered by their best sections. */
export async function findPages(
  tx: ReadTransaction,
  spaces: readonly string[],
  query: string,
): Promise<FoundPage[]> {
  const hits = await tx.search(sections, {
    index: 'bySpace',
    anyOf: spaces.map((id) => [id]),
    query,
    limit: maxSections,
  });
  const pages = new Map<string, FoundPage>();
  for (const hit of hits) {
    const [space = '', id = ''] = hit.id.split('.');
    const key = `${space}.${id}`;
    const page = pages.get(key);
    if (page === undefined) pages.set(key, { id, space, hits: [hit.id] });
    else page.hits.push(hit.id);
  }
  return [...pages.values()];
}

/** Finds pages like `findPages`, but returns those whose title equals the query first. */
export async function findTitledFirst(
  tx: ReadTransaction,
  spaces: readonly string[],
  query: string,
): Promise<FoundPage[]> {
  const found = await findPages(tx, spaces, query);
  const isTitle = titleMatcher(query);
  const titled = new Set<FoundPage>();
  for (const page of found.slice(0, maxCompared)) {
    const row = await tx.get(sections, page.hits[0] ?? '');
    if (row !== undefined && isTitle(row.pageTitle)) titled.add(page);
  }
  return titled.size === 0 ? found : [...titled, ...found.filter((page) => !titled.has(page))];
}

/**
 * Returns the first of these sections that has a text; otherwise the first section of their page that has a text; undefined for a
 * page without text.
 */
export async function sectionWithText(
  tx: ReadTransaction,
  hits: readonly string[],
): Promise<SectionRow | undefined> {
  const [space, page] = hits[0]?.split('.') ?? [];
  const first = Array.from({ length: maxTried }, (_, at) => `${space}.${page}.${at}`);
  for (const id of [...hits.slice(0, maxTried), ...first]) {
    const row = await tx.get(sections, id);
    if (row !== undefined && row.body.trim() !== '') return row;
  }
  return undefined;
}

/**
 * Announces a search of these spaces that will block the thread for long.
 *
 * @throws HeavyCallError if other requests wait for this thread
 */
export async function announceSearch(
  { tx, onHeavy }: Pick<ReadContext, 'tx'> & Pick<RequestContext, 'onHeavy'>,
  spaces: Iterable<string>,
  query: string,
): Promise<void> {
  if (onHeavy === undefined) return;
  const words = query.split(/\s+/).length;
  let work = 0;
  for (const space of spaces) {
    work += words * (await tx.count(sections, 'bySpace', [space]));
    if (work > maxWork) onHeavy();
  }
}

/** Returns found pages of one space in the form of the API. */
export async function shapeFoundPages(
  context: ReadContext,
  space: SpaceRow,
  found: readonly FoundPage[],
  finder: TermFinder,
): Promise<Static<typeof SearchedPage>[]> {
  const revision = await readRevision(context.tx, space.revision);
  const entries = new TrieReader<Entry>(context.tx, revision.root);
  const generated = new GeneratedFinder(context.tx, space.organization, revision);
  const shaped: Static<typeof SearchedPage>[] = [];
  for (const { id, hits } of found) {
    const page = (await describePage(entries, id)) ?? (await describeGenerated(generated, id));
    if (page === undefined) continue;
    const { title, path, ancestors } = page;
    shaped.push({
      id,
      title,
      path,
      sections: await shapeSections(extendContext(context, { space }), path, hits, finder),
      ancestors: ancestors.map((each) => ({ title: each })),
      urls: { app: appUrl(extendContext(context, { space }), `/${path}`) },
    });
  }
  return shaped;
}

/** A page with its path and the titles of its ancestors, outermost first. */
interface DescribedPage {
  readonly title: string;
  readonly path: string;
  readonly ancestors: readonly string[];
}

async function describePage(entries: TrieReader<Entry>, id: string): Promise<DescribedPage | undefined> {
  const pages = await readPagePath(entries, id);
  const page = pages.at(-1);
  if (page === undefined) return undefined;
  const path = pages.map(({ slug }) => slug).join('/');
  return { title: page.title, path, ancestors: pages.slice(0, -1).map(({ title }) => title) };
}

async function describeGenerated(finder: GeneratedFinder, id: string): Promise<DescribedPage | undefined> {
  const found = await finder.byId(id);
  return found && { title: found.page.page.title, path: found.page.path, ancestors: found.ancestors };
}

async function readPagePath(entries: TrieReader<Entry>, id: string): Promise<PageEntry[]> {
  const pages: PageEntry[] = [];
  for (let at: string | null = id; at !== null;) {
    const entry: Entry | undefined = await entries.get(at);
    if (entry?.kind !== 'page') break;
    pages.unshift(entry);
    at = entry.parent;
  }
  return pages;
}

/**
 * Returns the matching sections of a page in the form of the API, each heading once. Every section is indexed with the title of
 * its page. If only that title matches, the best section represents the page. If no matching section has a text, a section with a
 * text is added.
 */
async function shapeSections(
  content: ContentSource,
  path: string,
  hits: readonly string[],
  finder: TermFinder,
): Promise<Static<typeof SearchedPage>['sections']> {
  const shown = new Map<string, Static<typeof SearchedPage>['sections'][number]>();
  const show = ({ id, anchor, title, pageTitle }: SectionRow, body: string): void => {
    const place = anchor === '' ? path : `${path}#${anchor}`;
    shown.set(anchor, {
      id,
      title: title === '' ? pageTitle : title,
      path: place,
      body,
      urls: { app: appUrl(content, `/${place}`) },
    });
  };
  for (const id of hits.slice(0, maxSectionsOfPage)) {
    const row = await getExisting(content.tx, sections, id);
    const body = finder.excerpt(row.body);
    if (shown.has(row.anchor) || !(body.matches || finder.excerpt(row.title).matches || id === hits[0]))
      continue;
    show(row, body.text);
  }
  if ([...shown.values()].every(({ body }) => body === '')) {
    const row = await sectionWithText(content.tx, hits);
    if (row !== undefined) show(row, finder.excerpt(row.body).text);
  }
  return [...shown.values()];
}
