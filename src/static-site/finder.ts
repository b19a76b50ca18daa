import { stemLikeFts5 } from '../core/porter.ts';
import { parseSearchQuery, type Phrase } from '../core/search-terms.ts';
import { preferredSpaces } from '../resources/search/preferred-spaces.ts';
import { TermFinder } from '../resources/search/snippet.ts';
import { titleMatcher } from '../resources/search/title-matcher.ts';

/** A space of the site: the number of its first page, its path below the root, and what names it. */
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
  /** The pages above it. */
  place: string,
  address: string,
  sections: readonly (readonly [title: string, anchor: string, body: string])[],
];

/** A term with the pages that have it: for each the distance from the page before, and how much it counts there. */
export type TermEntry = readonly [term: string, postings: readonly number[]];

/** The head of an index: how many pages it has, and which file has which terms and texts. */
export interface SearchHead {
  readonly pages: number;
  /** In the order of the pages. */
  readonly spaces: readonly IndexedSpace[];
  /** Files in the order of their terms, with the first of each. */
  readonly terms: readonly (readonly [first: string, file: string])[];
  /** Files in the order of the pages, with the number of pages in each. */
  readonly texts: readonly (readonly [pages: number, file: string])[];
}

export interface FoundPage {
  readonly title: string;
  readonly section?: string;
  readonly excerpt: string;
  /** Where the words of the query are in the excerpt: the start and the end of each. */
  readonly marks: readonly number[];
  readonly place: string;
  /** Below the root of the site, with the anchor of the best section. */
  readonly address: string;
}

/** The most pages of an answer. */
const maxFound = 20;
/** The most words and phrases of a query that are searched. */
const maxTerms = 8;
/** The most files that are loaded for an unfinished word. */
const maxFiles = 6;

/** Searches the index of a copy of a site; loads only the files that a query needs. */
export class Finder {
  readonly #load: (file: string) => Promise<unknown>;

  /** `load` returns the data of a file of the index; undefined where there is none. */
  constructor(load: (file: string) => Promise<unknown>) {
    this.#load = load;
  }

  /**
   * Finds pages with all terms of a query, or if there are none, with some of them; the best first, and a page with the query as
   * its title before all others. Pages of other versions and languages than the one at the path `from` come last, and only if the
   * same page was not found.
   */
  async find(query: string, from?: string): Promise<FoundPage[]> {
    const terms = (query.slice(0, 200).match(/"[^"]*"|\S+/g) ?? []).slice(0, maxTerms);
    const head = (await this.#load('index.js')) as SearchHead | undefined;
    if (head === undefined || terms.length === 0) return [];
    const scores = new Map<number, { terms: number; score: number }>();
    for (const term of terms) {
      const pages = await this.#pagesOf(head, term);
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
    // Some are left out when it is known where they are.
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

  /** The pages that have a word or phrase, with how much it counts there. */
  async #pagesOf(head: SearchHead, term: string): Promise<ReadonlyMap<number, number>> {
    const parsed = parseSearchQuery(term);
    if (parsed === undefined) return new Map();
    const exact = await this.#pagesWith(head, parsed.exact.flat());
    const starting = await this.#pagesWith(head, parsed.starting.flat());
    // A whole word counts more than the start of one.
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

/** The space of a page; undefined in an index without spaces. */
function spaceAt(spaces: readonly IndexedSpace[], page: number): IndexedSpace | undefined {
  return spaces.findLast(([first]) => first <= page);
}

/** The spaces that come first in a search from the one at a path. Pages of an index without spaces are all alike. */
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

/** Where a page is: its section, its version or language if the reader has another one open, and the pages above it. */
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

/** The section with the most terms, in its heading before its text; of several, the first that has a text. */
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
