import { createHash } from 'node:crypto';
import { createStemmer } from '../core/porter.ts';
import { tokenize } from '../core/search-terms.ts';
import { showEmojis } from '../render/emoji-names.ts';
import { scanSections } from '../richtext/scan-sections.ts';
import type { IndexedPage, IndexedSpace, SearchHead, TermEntry } from './finder.ts';
import { toDataScript } from './to-static.ts';

interface SearchedText {
  /** The title, with emojis instead of their names. */
  readonly title: string;
  /** The titles of the page's ancestors. */
  readonly place: string;
  /** The space of the page. Pages of a space must be added one after the other. */
  readonly space?: {
    readonly path: string;
    readonly title: string;
    readonly language: string;
    readonly section?: readonly [title: string, path: string] | undefined;
  };
  /** The address below the root of the site. */
  readonly address: string;
  readonly markdown: string;
}

/** Approximate maximum of characters in one file of texts. */
const maxTexts = 48_000;
/** Approximate maximum of characters in one file of terms. */
const maxTerms = 48_000;
/** Maximum number of indexed characters of a page. */
const maxIndexed = 400_000;
/** Matches the link at the start of each operation on generated pages. Readers do not see it. */
const specificationLink = /^(\{% openapi-[^\n]*\n)\[OpenAPI [^\]\n]*\]\([^)\n]*\)$/gm;
/** The weights of a word in a title (higher in a short one), in a heading, and in a text. */
const weights = { title: 60, titleWord: 70, heading: 30, body: 90 };
/** Maximum weight of a word on a page. A page number and a weight are packed into one number. */
const maxWeight = 255;

interface IndexFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Builds an index that a browser searches without a server. Keeps the terms of all pages in memory, but the texts of only a few.
 */
export class SearchIndexBuilder {
  readonly #write: (file: IndexFile) => void;
  readonly #postings = new Map<string, number[]>();
  readonly #stem = createStemmer();
  readonly #texts: (readonly [pages: number, file: string])[] = [];
  readonly #spaces: IndexedSpace[] = [];
  #block: IndexedPage[] = [];
  #blockLength = 0;
  #pages = 0;

  /** `write` receives each file as soon as it is complete. */
  constructor(write: (file: IndexFile) => void) {
    this.#write = write;
  }

  add({ title, place, address, markdown, space }: SearchedText): void {
    if (space !== undefined && this.#spaces.at(-1)?.[1] !== space.path)
      this.#spaces.push(
        space.section === undefined
          ? [this.#pages, space.path, space.title, space.language]
          : [this.#pages, space.path, space.title, space.language, space.section],
      );
    const indexed = markdown.slice(0, maxIndexed).replace(specificationLink, '$1');
    const sections = scanSections(indexed).map((section) => {
      const heading = showEmojis(section.title);
      return [heading, heading === title ? '' : section.anchor, showEmojis(section.body)] as const;
    });
    const counts = new Map<string, number>();
    let length = 0;
    const stems = (text: string): string[] => tokenize(text).map((word) => this.#stem(word));
    const inTitle = stems(title);
    const inHeadings = new Set(sections.flatMap(([heading]) => (heading === title ? [] : stems(heading))));
    for (const [, , body] of sections)
      for (const term of stems(body)) {
        counts.set(term, (counts.get(term) ?? 0) + 1);
        length++;
      }
    // As in BM25: repeated words and words in longer texts have a smaller weight.
    const norm = 0.6 + 0.4 * Math.min(4, length / 400);
    for (const term of new Set([...inTitle, ...inHeadings, ...counts.keys()])) {
      const times = counts.get(term) ?? 0;
      const sum =
        (weights.body * times) / (times + 1.2 * norm) +
        (inHeadings.has(term) ? weights.heading : 0) +
        (inTitle.includes(term) ? weights.title + weights.titleWord / inTitle.length : 0);
      const weight = Math.max(1, Math.min(maxWeight, Math.round(sum)));
      const list = this.#postings.get(term);
      const posting = this.#pages * (maxWeight + 1) + weight;
      if (list === undefined) this.#postings.set(term, [posting]);
      else list.push(posting);
    }
    this.#pages++;
    this.#block.push([title, place, address, sections]);
    for (const [heading, anchor, body] of sections)
      this.#blockLength += heading.length + anchor.length + body.length;
    if (this.#blockLength > maxTexts) this.#endBlock();
  }

  /** Writes the remaining files, and the head of the index. */
  end(): void {
    this.#endBlock();
    const terms: (readonly [first: string, file: string])[] = [];
    let entries: TermEntry[] = [];
    let size = 0;
    const flush = (): void => {
      const [first] = entries;
      if (first !== undefined) terms.push([first[0], this.#file('terms', entries)]);
      entries = [];
      size = 0;
    };
    for (const term of [...this.#postings.keys()].sort()) {
      const list = this.#postings.get(term) ?? [];
      const postings: number[] = [];
      let before = 0;
      for (const posting of list) {
        const page = Math.floor(posting / (maxWeight + 1));
        postings.push(page - before, posting % (maxWeight + 1));
        before = page;
      }
      entries.push([term, postings]);
      size += term.length + postings.length * 3;
      if (size > maxTerms) flush();
    }
    flush();
    const head: SearchHead = { pages: this.#pages, spaces: this.#spaces, terms, texts: this.#texts };
    this.#write({ file: '~search/index.js', text: toDataScript(head) });
  }

  #endBlock(): void {
    if (this.#block.length === 0) return;
    this.#texts.push([this.#block.length, this.#file('text', this.#block)]);
    this.#block = [];
    this.#blockLength = 0;
  }

  /** Returns a file name that contains the hash of the content, so that browsers can cache the file. */
  #file(kind: string, value: unknown): string {
    const text = toDataScript(value);
    const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.js`;
    this.#write({ file: `~search/${name}`, text });
    return name;
  }
}
