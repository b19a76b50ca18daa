import { RecentMap } from '../core/recent-map.ts';
import { Problem } from '../errors/problem.ts';

/** Default size of the cached PDFs, in bytes. */
const defaultBytes = 64 * 1024 * 1024;
/** Maximum number of PDFs that wait for earlier ones. */
const maxWaiting = 8;
/** Maximum number of waiting PDFs of one site, so that a site cannot take all places. */
const maxOfSite = 4;

/**
 * Makes at most one PDF of a site at a time, and caches the last ones. The keys identify everything that a PDF depends on, so a
 * cached PDF is never outdated. Concurrent requests for the same PDF share its bytes.
 */
export class PdfCache {
  readonly #maxBytes: number;
  /** The PDFs by key; a Problem if the content is too large for a PDF. */
  readonly #kept: RecentMap<Uint8Array | Problem>;
  readonly #waiting = new Map<string, { readonly site: string; readonly made: Promise<Uint8Array> }>();
  /** The last requested PDF of each site, or of all sites. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
    this.#kept = new RecentMap(maxBytes, sizeOf);
  }

  /** The size of the cached PDFs in bytes. */
  get size(): number {
    return this.#kept.weight;
  }

  /**
   * Returns a PDF of a site. It is made if it is not cached. With `alone`, no PDF of another site is made at the same time.
   *
   * @throws Problem(rate-limited) while too many others wait; the problems of `make`. Problem(too-large) is cached
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

/** Returns the weight of a PDF for the limit; a small weight for a refusal. */
function sizeOf(made: Uint8Array | Problem): number {
  return made instanceof Problem ? 1024 : made.length;
}
