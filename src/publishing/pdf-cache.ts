import { RecentMap } from '../core/recent-map.ts';
import { Problem } from '../errors/problem.ts';

/** The most bytes of PDFs that are kept, unless another number is given. */
const defaultBytes = 64 * 1024 * 1024;
/** The most PDFs that wait until those before them are made. */
const maxWaiting = 8;
/** The most PDFs of one site that wait, so that no site takes all places. */
const maxOfSite = 4;

/**
 * Makes one PDF of a site at a time, and keeps those that were made last. Its keys name everything that a PDF is made of, so that
 * none is out of date. Readers who ask for the same PDF get the same bytes.
 */
export class PdfCache {
  readonly #maxBytes: number;
  /** By their keys; a Problem for what is too large for a PDF. */
  readonly #kept: RecentMap<Uint8Array | Problem>;
  readonly #waiting = new Map<string, { readonly site: string; readonly made: Promise<Uint8Array> }>();
  /** The last PDF of each site, or of all sites. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
    this.#kept = new RecentMap(maxBytes, sizeOf);
  }

  /** The bytes of the PDFs that are kept. */
  get size(): number {
    return this.#kept.weight;
  }

  /**
   * Returns a PDF of a site, which is made if it is not kept. With `alone`, no PDF of another site is made at the same time.
   *
   * @throws Problem(rate-limited) while too many others wait; the problems of `make`, and Problem(too-large) again at once
   */
  async get(
    { site, key, alone }: { site: string; key: string; alone: boolean },
    make: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (kept instanceof Problem) throw kept;
      return kept;
    }
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.made;
    const ofSite = [...this.#waiting.values()].filter((one) => one.site === site);
    if (this.#waiting.size >= maxWaiting || ofSite.length >= maxOfSite)
      throw new Problem('rate-limited', 'Too many PDFs are being made. Try again in a minute.');
    const lane = alone ? 'all' : site;
    const made = (this.#last.get(lane) ?? Promise.resolve()).then(make);
    this.#waiting.set(key, { site, made });
    const end = made.catch(() => undefined);
    this.#last.set(lane, end);
    try {
      const bytes = await made;
      if (bytes.length <= this.#maxBytes) this.#kept.set(key, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof Problem && error.reason === 'too-large') this.#kept.set(key, error);
      throw error;
    } finally {
      if (this.#last.get(lane) === end) this.#last.delete(lane);
      this.#waiting.delete(key);
    }
  }
}

/** The bytes that count for the limit; a refusal counts a little. */
function sizeOf(made: Uint8Array | Problem): number {
  return made instanceof Problem ? 1024 : made.length;
}
