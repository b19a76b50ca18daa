import { readBlob } from '../content/blobs.ts';
import { revisionOf } from '../content/content-source.ts';
import { includesTexts, readTextEntries } from '../content/evaluate.ts';
import { latestVersions } from '../content/generated/open-specification.ts';
import { requireFreshSearch } from '../content/search-catch-up.ts';
import { readRevision } from '../content/revisions.ts';
import { sections } from '../content/rows.ts';
import { yieldToEvents } from '../contract/event-loop.ts';
import { RecentMap } from '../core/recent-map.ts';
import { showEmojis } from '../render/emoji-names.ts';
import { announceSearch, findPages, sectionWithText } from '../resources/search/find-pages.ts';
import { TermFinder } from '../resources/search/snippet.ts';
import { similarWord } from '../resources/search/similar-word.ts';
import { titleMatcher } from '../resources/search/title-matcher.ts';
import { scanSections } from '../richtext/scan-sections.ts';
import { mayBeConditional } from '../content/hide-undecided.ts';
import { readDescribed } from './page-document.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { searchScope, type SearchScope } from './search-scope.ts';
import type { ShownSpace } from './site-map.ts';
import type { SiteView } from './site-view.ts';
import { isUnlisted, type SitePage } from './space-pages.ts';

/** One result of a search in a site. */
interface FoundOnSite {
  readonly title: string;
  readonly section?: string | undefined;
  readonly excerpt?: string;
  /** The positions of the words of the query in the excerpt: start and end of each. */
  readonly marks: readonly number[];
  /**
   * The location of the page: its section, its version or language if the reader has another one open, and the pages above it.
   */
  readonly place?: string | undefined;
  readonly href: string;
}

/** Maximum length of a query, in characters. */
export const maxQueryLength = 200;
/** Maximum number of pages in an answer. */
const maxFound = 20;

/** Maximum number of words and phrases of a query that are searched. */
const maxTerms = 8;
/** Maximum number of pages whose text is evaluated for the visitor in one search. */
const maxOwnTexts = 40;
/** Maximum length of these texts and of the texts that they include, in characters, so that searches end soon. */
const maxOwnLength = 4_000_000;
/** Cached texts of pages for visitors, by everything that they depend on. */
const ownTexts = new RecentMap<string>(16_000_000, ({ length }) => length + 100);
/** Maximum number of characters of descriptions of OpenAPI blocks on such a page. */
const maxOwnDescribed = 50_000;
/**
 * The rank of pages whose text depends on the visitor. It is after the others, because the rank in the index depends on the whole
 * text.
 */
const lastRank = 1000;

/** A page that contains some of the terms. */
interface Candidate {
  readonly open: OpenSpace;
  readonly page: SitePage;
  /** The words of the page for this visitor, if its text depends on the visitor. */
  readonly own: string | undefined;
  /** Whether its title equals the query. */
  readonly isTitled: boolean;
  terms: number;
  rank: number;
  /** The number of terms in each section. */
  readonly hits: Map<string, number>;
}

/**
 * Searches the pages of a site that the visitor can open, except hidden pages and pages with `noIndex`. Each term is searched
 * separately. If the text of a page depends on the visitor, only terms in the visitor's text count, so that results reveal
 * nothing about hidden parts. A word that is on no page that the visitor can see stands for a similar word of a title. A page with
 * the query as its title comes first. Pages of other versions and languages than the one at the path `from` come last, and only if
 * the same page was not found.
 */
export async function searchSite(
  view: SiteView,
  query: string,
  from: string | null = null,
): Promise<FoundOnSite[]> {
  const terms = (query.match(/"[^"]*"|\S+/g) ?? []).slice(0, maxTerms);
  const shown = view.map.spaces.filter(({ row }) => !row.hidden);
  if (terms.length === 0 || shown.length === 0) return [];
  const { tx } = view;
  await requireFreshSearch(
    tx,
    shown.map(({ space }) => space),
  );
  const spaceIds = [...new Set(shown.map(({ space }) => space.id))];
  await announceSearch(view, spaceIds, terms.join(' '));
  const opened = await view.openSpaces(spaceIds);
  const candidates = new Map<string, Candidate | undefined>();
  const isTitle = titleMatcher(query);
  /** For each space ID: whether its included texts may depend on the visitor. */
  const conditional = new Map<string, boolean>();
  let left = maxOwnTexts;
  let leftLength = maxOwnLength;
  let specifications: Awaited<ReturnType<typeof latestVersions>> | undefined;
  const isLeftOut = ({ pages }: OpenSpace, page: SitePage): boolean =>
    !page.isSearched || isUnlisted(pages, page);
  /** Returns the words of a page for the visitor; undefined if too many texts were read. */
  const textOf = async ({ shown: own, pages }: OpenSpace, page: SitePage): Promise<string | undefined> => {
    if (left-- <= 0 || leftLength <= 0) return undefined;
    const content = view.contentOf(own);
    const { root } = await readRevision(tx, revisionOf(content));
    // Pages may include reusable content of other spaces, and show specifications.
    specifications ??= await latestVersions(tx, view.organization.id);
    const key = JSON.stringify([view.fingerprint(), specifications, root, pages.digest, own.row.id, page.id]);
    const known = ownTexts.get(key);
    const onRead = (length: number): void => void (leftLength -= length);
    const text =
      known ??
      scanSections(await readDescribed(content, page, { maxLength: maxOwnDescribed, onRead }))
        .flatMap(({ title, body }) => [title, body])
        .filter((part) => part !== '')
        .join('\n');
    leftLength -= text.length;
    ownTexts.set(key, text);
    return text;
  };
  const open = async (spaceId: string, id: string): Promise<Candidate | undefined> => {
    const space = opened.get(spaceId);
    const page = space?.pages.byId.get(id);
    if (space === undefined || page === undefined || isLeftOut(space, page)) return undefined;
    const isOwn = await dependsOnVisitor(view, space, page, async () => {
      const known = conditional.get(spaceId) ?? (await hasConditionalTexts(view, space.shown));
      conditional.set(spaceId, known);
      return known;
    });
    const own = isOwn ? await textOf(space, page) : undefined;
    if (isOwn && own === undefined) return undefined;
    return { open: space, page, own, isTitled: isTitle(page.title), terms: 0, rank: 0, hits: new Map() };
  };
  const finders = terms.map((term) => ({ term, finder: new TermFinder(term) }));
  /** The terms that are on no page that the visitor can see. */
  const missing = new Set(finders);
  const collect = async (one: (typeof finders)[number]): Promise<void> => {
    const { term, finder } = one;
    for (const [rank, { id, space, hits }] of (await findPages(tx, spaceIds, term)).entries()) {
      const key = `${space}.${id}`;
      if (!candidates.has(key)) candidates.set(key, await open(space, id));
      const candidate = candidates.get(key);
      if (candidate === undefined) continue;
      const { own, page } = candidate;
      if (own !== undefined && !finder.excerpt(own).matches && !finder.excerpt(page.title).matches) continue;
      missing.delete(one);
      candidate.terms++;
      candidate.rank += own === undefined ? rank : lastRank;
      for (const hit of hits) candidate.hits.set(hit, (candidate.hits.get(hit) ?? 0) + 1);
    }
  };
  for (const one of finders) await collect(one);
  // The index does not contain pages of integrations.
  for (const space of opened.values())
    for (const page of space.pages.byId.values()) {
      if (page.text === undefined || isLeftOut(space, page)) continue;
      const own = (await textOf(space, page)) ?? '';
      const found = finders.filter(
        ({ finder }) => finder.excerpt(page.title).matches || finder.excerpt(own).matches,
      );
      for (const one of found) missing.delete(one);
      candidates.set(`${space.shown.space.id}.${page.id}`, {
        open: space,
        page,
        own,
        isTitled: isTitle(page.title),
        terms: found.length,
        rank: lastRank,
        hits: new Map(),
      });
    }
  const wordsOf = (space: OpenSpace): string[] =>
    [...space.pages.byId.values()].flatMap((page) =>
      isLeftOut(space, page) ? [] : page.title.toLowerCase().split(/[^\p{L}]+/u),
    );
  const words = missing.size === 0 ? [] : new Set([...opened.values()].flatMap(wordsOf));
  for (const one of missing) {
    const similar = similarWord(one.term, words);
    if (similar === undefined) continue;
    Object.assign(one, { term: similar, finder: new TermFinder(similar) });
    await collect(one);
  }
  const some = [...candidates.values()].filter((each) => each !== undefined && each.terms > 0) as Candidate[];
  const all = some.filter((each) => each.terms === terms.length);
  const scope = searchScope(view.map, from);
  const best = withoutTwins(all.length > 0 ? all : some, scope).slice(0, maxFound);
  const finder = new TermFinder(finders.map(({ term }) => term).join(' '));
  const found: FoundOnSite[] = [];
  for (const candidate of best) found.push(await show(view, candidate, finder, scope));
  return found;
}

/** Sorts the results, best first. A page is left out if a preferred version or language of its section has the same page. */
function withoutTwins(found: readonly Candidate[], { isPreferred }: SearchScope): Candidate[] {
  const isOther = ({ open }: Candidate): number => (isPreferred(open.shown) ? 0 : 1);
  // The same page in another version or language has the same path in its space.
  const twinOf = ({ open, page }: Candidate): string =>
    `${open.shown.section?.row.id ?? open.shown.row.id} ${hrefOf(open, page).slice(open.shown.base.length)}`;
  const known = new Set(found.filter((each) => isOther(each) === 0).map(twinOf));
  return found
    .filter((each) => isOther(each) === 0 || !known.has(twinOf(each)))
    .sort(
      (one, other) =>
        other.terms - one.terms ||
        isOther(one) - isOther(other) ||
        Number(other.isTitled) - Number(one.isTitled) ||
        one.rank - other.rank,
    );
}

async function show(
  { tx, map }: SiteView,
  { open, page, own, isTitled, hits }: Candidate,
  finder: TermFinder,
  { isPreferred }: SearchScope,
): Promise<FoundOnSite> {
  const most = Math.max(...hits.values());
  const best = [...hits].filter(([, terms]) => terms === most).map(([id]) => id);
  const withText = own === undefined ? await sectionWithText(tx, best) : undefined;
  // If only headings match, the excerpt is the first text of the page.
  const id = withText !== undefined && best.includes(withText.id) ? withText.id : (best[0] ?? '');
  const row = own === undefined && !isTitled ? await tx.get(sections, id) : undefined;
  const { section, title } = open.shown;
  const names = [
    section?.row.title ?? (map.spaces.length > 1 ? title : undefined),
    section === undefined || isPreferred(open.shown) ? undefined : title,
    ...(open.pages.above.get(page.id) ?? []).map(({ label }) => label),
  ];
  const anchor = row === undefined || row.anchor === '' ? '' : `#${row.anchor}`;
  const excerpt = showEmojis(finder.excerpt(own ?? withText?.body ?? '').text);
  return {
    title: page.title,
    section: row === undefined || row.title === page.storedTitle ? undefined : showEmojis(row.title),
    excerpt,
    marks: finder.marks(excerpt),
    place: names.filter((name) => name !== undefined).join(' › '),
    href: hrefOf(open, page) + anchor,
  };
}

async function dependsOnVisitor(
  { tx }: SiteView,
  { shown }: OpenSpace,
  { entry }: SitePage,
  mayInclude: () => Promise<boolean>,
): Promise<boolean> {
  if (entry?.blob === undefined) return false;
  const text = await readBlob(tx, entry.blob);
  if (mayBeConditional(text)) return true;
  if (!includesTexts(text)) return false;
  const { including } = shown.space;
  return including === true || including?.includes(entry.id) === true || mayInclude();
}

/** Whether the texts of spaces that pages include may depend on the visitor, by the hash of the content. */
const conditionalTexts = new RecentMap<boolean>(1000);

/** Whether reusable content or a file of a space may depend on the visitor. */
async function hasConditionalTexts(view: SiteView, shown: ShownSpace): Promise<boolean> {
  const content = view.contentOf(shown);
  const { root } = await readRevision(view.tx, revisionOf(content));
  let isConditional = conditionalTexts.get(root);
  if (isConditional !== undefined) return isConditional;
  isConditional = false;
  for (const { role, blob } of (await readTextEntries(content)).values()) {
    if (role !== 'include' && role !== 'snippet') continue;
    await yieldToEvents();
    isConditional = mayBeConditional(await readBlob(view.tx, blob));
    if (isConditional) break;
  }
  conditionalTexts.set(root, isConditional);
  return isConditional;
}
