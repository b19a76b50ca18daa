import { Problem } from '../errors/problem.ts';

/** What one book may take; effort is about one for each character that is drawn, and more for blocks, cells and links. */
export const most = {
  sheets: 5_000,
  /** Of one page; about 750,000 characters of plain text. */
  effort: 1_000_000,
  links: 50_000,
  bookmarks: 10_000,
  places: 50_000,
  /** Bytes of all images, when they are unpacked, and when those that had to be taken apart are packed again. */
  unpacked: 2 * 1024 * 1024 * 1024,
  packed: 256 * 1024 * 1024,
} as const;

export type Limits = Readonly<Record<keyof typeof most, number>>;

/** What things cost beside their characters. */
export const costs = { block: 25, line: 15, cell: 5, span: 6, link: 15, image: 60, entry: 80 } as const;

/** After so much effort others have their turn: about 10 ms where each word is a new one. */
const stride = 800;

/** Ends the drawing of a page whose effort is used up; the book goes on with the next one. */
export class PageTooLong extends Error {}

/** Counts the effort of drawing, lets others have the processor between two pieces of it, and ends it where that is due. */
export class Work {
  readonly limits: Limits;
  private readonly signal: AbortSignal | undefined;
  private sinceTurn = 0;
  private ofPage = 0;

  constructor(signal?: AbortSignal, limits: Limits = most) {
    this.signal = signal;
    this.limits = limits;
  }

  beginPage(): void {
    this.ofPage = 0;
  }

  /** Takes effort from what the page has. Throws PageTooLong. */
  spend(effort: number): void {
    this.sinceTurn += effort;
    this.ofPage += effort;
    if (this.ofPage > this.limits.effort) throw new PageTooLong('The page takes too much effort.');
  }

  /** To be awaited between any two pieces of work, with what of it was not spent. Throws Problem interrupted. */
  async pace(effort = 0): Promise<void> {
    this.sinceTurn += effort;
    if (this.sinceTurn < stride) return;
    this.sinceTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.signal?.aborted === true) throw new Problem('interrupted', 'Stopped; the PDF was not made.');
  }

  /** All of what is made piece by piece. */
  async all<T>(pieces: Iterable<T>): Promise<T[]> {
    const made: T[] = [];
    for (const piece of pieces) {
      made.push(piece);
      await this.pace();
    }
    return made;
  }
}

/** Refuses a book that is too much for one file. */
export function tooManySheets({ sheets }: Limits): Problem {
  return new Problem('too-large', `The PDF would have more than ${sheets.toLocaleString('en')} sheets.`, {
    hint: 'Print a part: a page with those under it, by page=ID (--page).',
  });
}
