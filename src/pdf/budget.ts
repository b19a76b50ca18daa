import { Problem } from '../errors/problem.ts';

/** The limits of one PDF. Effort is about one per drawn character, and more for blocks, cells and links. */
export const defaultLimits = {
  maxSheets: 5_000,
  /** Maximum effort per page of the book; about 750,000 characters of plain text. */
  maxEffort: 1_000_000,
  maxLinks: 50_000,
  maxBookmarks: 10_000,
  maxDestinations: 50_000,
  /** Maximum bytes of all decompressed images, and of images that are compressed again. */
  maxUnpackedBytes: 2 * 1024 * 1024 * 1024,
  maxPackedBytes: 256 * 1024 * 1024,
} as const;

export type Limits = Readonly<Record<keyof typeof defaultLimits, number>>;

/** The effort of parts of a page, in addition to the effort of their characters. */
export const costs = { block: 25, line: 15, cell: 5, span: 6, link: 15, image: 60, entry: 80 } as const;

/** The effort between two pauses: about 10 ms if no word is in the cache. */
const effortPerTurn = 800;

/** Thrown to end the drawing of a page that used up its effort. The book continues with the next page. */
export class PageTooLongError extends Error {}

/** Counts the effort of drawing, pauses to let other work run, and stops at the limit or when the signal is aborted. */
export class Budget {
  readonly limits: Limits;
  readonly #signal: AbortSignal | undefined;
  #sinceTurn = 0;
  #ofPage = 0;

  constructor(signal?: AbortSignal, limits: Limits = defaultLimits) {
    this.#signal = signal;
    this.limits = limits;
  }

  startPage(): void {
    this.#ofPage = 0;
  }

  /** @throws PageTooLongError if the page has used up its effort */
  readonly spend = (effort: number): void => {
    this.#sinceTurn += effort;
    this.#ofPage += effort;
    if (this.#ofPage > this.limits.maxEffort) throw new PageTooLongError('The page takes too much effort.');
  };

  /**
   * Pauses if it is time; await this between any two steps of work. `effort` does not count for the page.
   *
   * @throws Problem(interrupted) if the signal is aborted
   */
  async pause(effort = 0): Promise<void> {
    this.#sinceTurn += effort;
    if (this.#sinceTurn < effortPerTurn) return;
    this.#sinceTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#signal?.aborted === true)
      throw new Problem('interrupted', 'Interrupted. The PDF was not created.');
  }

  /** Collects the items of an iterable, with pauses. */
  async collect<T>(items: Iterable<T>): Promise<T[]> {
    const collected: T[] = [];
    for (const item of items) {
      collected.push(item);
      await this.pause();
    }
    return collected;
  }
}

/** Returns Problem(too-large) for a PDF with too many sheets. */
export function tooManySheets({ maxSheets }: Limits): Problem {
  return new Problem('too-large', `The PDF would have more than ${maxSheets.toLocaleString('en')} sheets.`, {
    hint: 'Print only one page and the pages below it: add --page PAGE.',
  });
}
