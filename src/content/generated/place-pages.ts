import { getOrInsert } from '../../contract/values.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { GeneratedPage } from '../../specification/computed-pages.ts';
import { childIds, childSlugs } from '../children.ts';
import type { ComputedSource } from '../computed-source.ts';
import { sha256 } from '../hashing.ts';
import type { PageEntry } from '../rows.ts';
import { freeSlug, slugKey, toSlug } from '../slugs.ts';
import { readEntry } from '../trie.ts';
import { openSpecification, type OpenedSpecification } from './open-specification.ts';

/** A page that is generated from a specification, with its ID and path. */
export interface PlacedPage {
  readonly id: string;
  readonly slug: string;
  /** Slugs from the root of the space, joined by "/". */
  readonly path: string;
  readonly page: GeneratedPage;
  readonly children: readonly PlacedPage[];
}

/** The data that decides the IDs and paths of generated pages. */
interface GeneratedPlace {
  readonly source: ComputedSource;
  /** The seed of their IDs: the same seed gives the same IDs. */
  readonly seed: string;
  /** The path of the parent page with a slash at its end, or ''. */
  readonly prefix: string;
  /** The slugs of their siblings. */
  readonly taken: Iterable<string>;
  /** The URL of the text of the specification. */
  readonly url: string;
}

/** Maximum number of places of one specification whose pages are cached. */
const maxPlaces = 8;
/** Cached pages of specifications, by the data that decides their IDs and paths. */
const placed = new WeakMap<Record<string, unknown>, RecentMap<readonly PlacedPage[]>>();

/** Generates the pages of a specification. They are cached, because each page of a site needs all of them. */
export async function placePages(
  opened: OpenedSpecification,
  place: GeneratedPlace,
): Promise<readonly PlacedPage[]> {
  const { root, slug } = opened;
  const taken = new Set(place.taken);
  const { source, seed, prefix, url } = place;
  const key = sha256(JSON.stringify([slug, source.props, seed, prefix, url, [...taken].sort()]));
  const kept = getOrInsert(placed, root, () => new RecentMap<readonly PlacedPage[]>(maxPlaces));
  const pages = kept.get(key) ?? (await makePages(opened, { ...place, taken }));
  kept.set(key, pages);
  return pages;
}

/** Generated pages by ID, for each cached list. */
const indexes = new WeakMap<readonly PlacedPage[], ReadonlyMap<string, PlacedPage>>();

/** Finds a page by its ID among generated pages and their descendants. */
export function findPlaced(pages: readonly PlacedPage[], id: string): PlacedPage | undefined {
  const index = getOrInsert(indexes, pages, () => new Map(eachPlaced(pages).map((page) => [page.id, page])));
  return index.get(id);
}

async function makePages(
  { root, slug }: OpenedSpecification,
  { source, seed, prefix, taken, url }: GeneratedPlace,
): Promise<PlacedPage[]> {
  const { computePages } = await import('../../specification/computed-pages.ts');
  const placeIn = (pages: readonly GeneratedPage[], above: string, slugs: Set<string>): PlacedPage[] => {
    const numbers = new Map<string, number>();
    return pages.map((page) => {
      const own = freeSlug(toSlug(page.title), slugs, numbers);
      slugs.add(own);
      const path = above + own;
      const id = `${seed}-${sha256(page.key).slice(0, 12)}`;
      return { id, slug: own, path, page, children: placeIn(page.children, `${path}/`, new Set()) };
    });
  };
  return placeIn(await computePages(root, { slug, url }, source.props), prefix, new Set(taken));
}

/** A page of the type computed, with its ancestors, outermost first. */
export interface ComputedPage {
  readonly entry: PageEntry & { readonly computed: ComputedSource };
  readonly above: readonly PageEntry[];
}

/** Reads a page of the type computed from a revision; undefined for any other ID. */
export async function readComputedPage(
  view: ReadTransaction,
  { root }: RevisionRow,
  id: string,
): Promise<ComputedPage | undefined> {
  const entry = await readEntry(view, root, id);
  if (entry?.kind !== 'page' || entry.computed === undefined) return undefined;
  const above: PageEntry[] = [];
  for (let at = entry.parent; at !== null;) {
    const page = await readEntry(view, root, at);
    if (page?.kind !== 'page') break;
    above.unshift(page);
    at = page.parent;
  }
  return { entry: { ...entry, computed: entry.computed }, above };
}

/**
 * Generates the pages that replace a page of the type computed. Empty if the specification has no valid version.
 * @param url The URL of the text of the specification (default: `openapi:SLUG`)
 */
export async function readGeneratedPages(
  view: ReadTransaction,
  organization: string,
  revision: RevisionRow,
  { entry, above }: ComputedPage,
  url?: string,
): Promise<readonly PlacedPage[]> {
  const { computed, id, parent } = entry;
  const { spec } = computed.dependencies.spec.ref;
  const opened = await openSpecification(view, organization, spec);
  if (opened === undefined) return [];
  const beside: GeneratedSibling[] = [];
  const others = new Set(revision.computed);
  for (const sibling of await childIds(view, revision.children, parent)) {
    if (sibling === id) break;
    const page = others.has(sibling) ? await readComputedPage(view, revision, sibling) : undefined;
    if (page !== undefined) beside.push({ source: page.entry.computed, seed: sibling });
  }
  const slugs = await childSlugs(view, revision.children, parent);
  return placePages(opened, {
    source: computed,
    seed: id,
    prefix: above.map(({ slug }) => `${slug}/`).join(''),
    taken: await slugsBeside(view, organization, slugs, beside),
    url: url ?? `openapi:${spec}`,
  });
}

/** A page of the type computed whose generated pages become siblings of others. */
interface GeneratedSibling {
  readonly source: ComputedSource;
  readonly seed: string;
}

/**
 * Returns the slugs that are taken for generated pages with siblings: those of the stored pages, and of the pages that are
 * generated for earlier siblings of the type computed.
 * @param slugs the slugs of the stored pages
 * @param before the earlier pages of the type computed, in order
 */
export async function slugsBeside(
  view: ReadTransaction,
  organization: string,
  slugs: readonly string[],
  before: readonly GeneratedSibling[],
): Promise<Set<string>> {
  const taken = new Set(slugs.map(slugKey));
  for (const sibling of before) {
    const { spec } = sibling.source.dependencies.spec.ref;
    const opened = await openSpecification(view, organization, spec);
    if (opened === undefined) continue;
    for (const { slug } of await placePages(opened, { ...sibling, prefix: '', taken, url: '' }))
      taken.add(slug);
  }
  return taken;
}

/** Returns generated pages and their descendants, parents first. */
export function eachPlaced(pages: readonly PlacedPage[]): PlacedPage[] {
  const found = [...pages];
  for (const page of found) found.push(...page.children);
  return found;
}
