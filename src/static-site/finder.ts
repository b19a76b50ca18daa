import { stemLikeFts5 } from '../core/porter.ts';
import { parseSearchQuery, type Phrase } from '../core/search-terms.ts';
import { preferredSpaces } from '../resources/search/preferred-spaces.ts';
import { TermFinder } from '../resources/search/snippet.ts';
import { similarWord } from '../resources/search/similar-word.ts';
import { titleMatcher } from '../resources/search/title-matcher.ts';

/** A space of the site: the number of its first page, its path below the root, and its title and language. */
export type IndexedSpace = readonly [
  first: number,
  path: string,
  title: string,
  language: string,
  /** The title and path of its section; absent for a space that is in none. */
  section?: readonly [title: string, path: string],
];

/** A page with its sections: titles, anchors and texts. */
export type IndexedPage = readonly [
  title: string,
  /** The titles of its ancestors. */
  place: string,
  address: string,
  sections: readonly (readonly [title: string, anchor: string, body: string])[],
];

/** A term with the pages that contain it: for each page the distance from the previous page, and the weight of the term. */
export type TermEntry = readonly [term: string, postings: readonly number[]];

/** The head of an index: the number of pages, and the files of terms and texts. */
export interface SearchHead {
  readonly pages: number;
  /** Sorted by their pages. */
  readonly spaces: readonly IndexedSpace[];
  /** Files sorted by their terms, with the first term of each. */
  readonly terms: readonly (readonly [first: string, file: string])[];
  /** Files sorted by their pages, with the number of pages in each. */
  readonly texts: readonly (readonly [pages: number, file: string])[];
}

export interface FoundPage {
  readonly title: string;
  readonly section?: string;
  readonly excerpt: string;
  /** The positions of matches in the excerpt: the start and the end of each. */
  readonly marks: readonly number[];
  readonly place: string;
  /** The address below the root of the site, with the anchor of the best section. */
  readonly address: string;
}

/** Maximum number of pages in a result. */
const maxFound = 20;
/** Maximum number of words and phrases of a query that are searched. */
const maxTerms = 8;
/** Maximum number of files that are loaded for an unfinished word. */
const maxFiles = 6;

/** Searches the index of a static copy. Loads only the files that a query needs. */
export class Finder {
  readonly #load: (file: string) => Promise<unknown>;

  /** `load` returns the data of a file of the index; undefined if there is no such file. */
  constructor(load: (file: string) => Promise<unknown>) {
    this.#load = load;
  }

  /**
   * Returns the pages that contain all terms of a query, or if there are none, some of them. The best pages come first, a page
   * whose title is the query before all others. Pages of versions and languages other than the one at the path `from` come last,
   * and only if the same page was not found in that version.
   */
  async find(query: string, from?: string): Promise<FoundPage[]> {
    const terms = (query.slice(0, 200).match(/"[^"]*"|\S+/g) ?? []).slice(0, maxTerms);
    const head = (await this.#load('index.js')) as SearchHead | undefined;
    if (head === undefined || terms.length === 0) return [];
    const scores = new Map<number, { terms: number; score: number }>();
    for (const [index, term] of terms.entries()) {
      let pages = await this.#pagesOf(head, term);
      const similar = pages.size === 0 ? await this.#similarTo(head, term) : undefined;
      if (similar !== undefined) pages = await this.#pagesOf(head, (terms[index] = similar));
      const rarity = Math.log(1 + head.pages / (pages.size + 0.5));
      for (const [page, weight] of pages) {
        const score = scores.get(page) ?? { terms: 0, score: 0 };
        scores.set(page, { terms: score.terms + 1, score: score.score + weight * rarity });
      }
    }
    const found = [...scores];
    const all = found.filter(([, each]) => each.terms === terms.length);
    const preferred = preferredFrom(head.spaces, from);
    const isOther = (page: number): number => (preferred.has(spaceAt(head.spaces, page)) ? 0 : 1);
    // More pages than needed, because some are left out once their places are known.
    const best = (all.length > 0 ? all : found)
      .sort(
        ([page, one], [next, other]) =>
          other.terms - one.terms || isOther(page) - isOther(next) || other.score - one.score || page - next,
      )
      .slice(0, 2 * maxFound);
    const finders = terms.map((term) => new TermFinder(term));
    const whole = new TermFinder(terms.join(' '));
    const isTitle = titleMatcher(query);
    const shown = await Promise.all(
      best.map(async ([page]) => {
        const made = await this.#show(head, page, finders, whole, isTitle);
        return made && { ...made, space: spaceAt(head.spaces, page) };
      }),
    );
    const known = new Set<string>();
    const twinOf = ({ space, address }: { space: IndexedSpace | undefined; address: string }): string =>
      space?.[4] === undefined
        ? address
        : `${space[4][1]} /${address.slice(space[1].length).replace(/#.*$/, '')}`;
    const listed = shown.filter((each) => each !== undefined);
    for (const each of listed) if (preferred.has(each.space)) known.add(twinOf(each));
    const isFirst = ({ space, title }: (typeof listed)[number]): boolean =>
      preferred.has(space) && isTitle(title);
    return listed
      .filter((each) => preferred.has(each.space) || !known.has(twinOf(each)))
      .sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
      .slice(0, maxFound)
      .map(({ space, place, ...page }) => ({
        ...page,
        place: placeIn(head.spaces, space, place, preferred),
      }));
  }

  /** Returns the pages that contain a word or phrase, with its weight on each page. */
  async #pagesOf(head: SearchHead, term: string): Promise<ReadonlyMap<number, number>> {
    const parsed = parseSearchQuery(term);
    if (parsed === undefined) return new Map();
    const exact = await this.#pagesWith(head, parsed.exact.flat());
    const starting = await this.#pagesWith(head, parsed.starting.flat());
    // A whole word has a greater weight than a word that only starts with it.
    return new Map([...starting].map(([page, weight]) => [page, weight + (exact.get(page) ?? 0)]));
  }

  async #pagesWith(head: SearchHead, phrases: readonly Phrase[]): Promise<ReadonlyMap<number, number>> {
    const found = new Map<number, number>();
    for (const { words, isPrefix } of phrases) {
      let common: ReadonlyMap<number, number> | undefined;
      for (const [index, word] of words.entries()) {
        const pages = await this.#pagesOfWord(head, word, isPrefix && index === words.length - 1);
        common =
          common === undefined
            ? pages
            : new Map(
                [...common].flatMap(([page, weight]) => {
                  const other = pages.get(page);
                  return other === undefined ? [] : [[page, Math.min(weight, other)] as const];
                }),
              );
      }
      for (const [page, weight] of common ?? []) found.set(page, Math.max(weight, found.get(page) ?? 0));
    }
    return found;
  }

  async #pagesOfWord(
    head: SearchHead,
    word: string,
    isPrefix: boolean,
  ): Promise<ReadonlyMap<number, number>> {
    const start = stemLikeFts5(word);
    const first = Math.max(
      0,
      head.terms.findLastIndex(([term]) => term <= start),
    );
    const last = isPrefix ? head.terms.findLastIndex(([term]) => term.startsWith(start)) : first;
    const found = new Map<number, number>();
    const files = head.terms.slice(first, Math.min(Math.max(first, last) + 1, first + maxFiles));
    for (const [, file] of files)
      for (const [term, postings] of ((await this.#load(file)) ?? []) as readonly TermEntry[]) {
        if (isPrefix ? !term.startsWith(start) : term !== start) continue;
        let page = 0;
        for (let at = 0; at < postings.length; at += 2) {
          page += postings[at] ?? 0;
          found.set(page, Math.max(postings[at + 1] ?? 0, found.get(page) ?? 0));
        }
      }
    return found;
  }

  /** Returns the term that was probably meant by a mistyped word, among those near it in the index. */
  async #similarTo(head: SearchHead, word: string): Promise<string | undefined> {
    const start = stemLikeFts5(word.toLowerCase());
    const at = head.terms.findLastIndex(([term]) => term <= start);
    const terms = ((await this.#load(head.terms[Math.max(0, at)]?.[1] ?? '')) ?? []) as readonly TermEntry[];
    return similarWord(
      start,
      terms.map(([term]) => term),
    );
  }

  async #show(
    head: SearchHead,
    page: number,
    finders: readonly TermFinder[],
    whole: TermFinder,
    isTitle: (title: string) => boolean,
  ): Promise<FoundPage | undefined> {
    let before = 0;
    for (const [pages, file] of head.texts) {
      if (page >= before + pages) {
        before += pages;
        continue;
      }
      const texts = (await this.#load(file)) as readonly IndexedPage[] | undefined;
      const found = texts?.[page - before];
      if (found === undefined) return undefined;
      const [title, place, address, sections] = found;
      const [section, anchor, body] = bestSection(sections, finders);
      const text = body === '' ? (sections.find((each) => each[2] !== '')?.[2] ?? '') : body;
      const isWhole = isTitle(title);
      const excerpt = whole.excerpt(text).text;
      return {
        title,
        ...(isWhole || section === '' || section === title ? {} : { section }),
        excerpt,
        marks: whole.marks(excerpt),
        place,
        address: address + (isWhole || anchor === '' ? '' : `#${anchor}`),
      };
    }
    return undefined;
  }
}

/** Returns the space of a page; undefined in an index without spaces. */
function spaceAt(spaces: readonly IndexedSpace[], page: number): IndexedSpace | undefined {
  return spaces.findLast(([first]) => first <= page);
}

/** Returns the spaces that come first in a search from the space at a path. Without spaces in the index, all pages are equal. */
function preferredFrom(
  spaces: readonly IndexedSpace[],
  from: string | undefined,
): ReadonlySet<IndexedSpace | undefined> {
  const versions = spaces.map((space) => {
    const [, path, title, language, section] = space;
    return {
      space,
      path,
      title,
      language: language === '' ? undefined : language,
      section: section?.[1],
      isHidden: false,
    };
  });
  const here = versions.find(({ path }) => path === from);
  return new Set([undefined, ...[...preferredSpaces(versions, here)].map(({ space }) => space)]);
}

/** Returns the place of a page: its section, its version or language if it differs from the reader's, and its ancestors. */
function placeIn(
  spaces: readonly IndexedSpace[],
  space: IndexedSpace | undefined,
  above: string,
  preferred: ReadonlySet<IndexedSpace | undefined>,
): string {
  const [, , title, , section] = space ?? [];
  const names =
    section === undefined
      ? [spaces.length > 1 ? title : undefined]
      : [section[0], preferred.has(space) ? undefined : title];
  return [...names, above].filter((name) => name !== undefined && name !== '').join(' › ');
}

/**
 * Returns the section with the most terms. Headings have priority over texts; of equal sections, the first one with a text is
 * returned.
 */
function bestSection(
  sections: IndexedPage[3],
  finders: readonly TermFinder[],
): readonly [title: string, anchor: string, body: string] {
  let best = sections[0] ?? (['', '', ''] as const);
  let most = 0;
  for (const section of sections) {
    const [title, , body] = section;
    let count = 0;
    for (const finder of finders) {
      if (finder.excerpt(title).matches) count += 2;
      if (finder.excerpt(body).matches) count += 1;
    }
    if (count > most || (count === most && best[2] === '' && body !== '')) [best, most] = [section, count];
  }
  return best;
}
