import { isOpenScheme, schemeOf } from '../contract/open-address.ts';
import type { Book, BookPage, LinkTarget } from './book.ts';
import type { Limits } from './budget.ts';
import { addDestinationAlias, type PdfDocument } from './engine.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** Longer addresses do not work in all browsers. */
const maxAddressLength = 2000;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class BookLinks {
  readonly #doc: PdfDocument;
  readonly #book: Book;
  readonly #limits: Limits;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #made = new Set<string>();
  /** The destination names of links, each with the destination name of its page. */
  readonly #used = new Map<string, string>();

  constructor(doc: PdfDocument, book: Book, limits: Limits) {
    this.#doc = doc;
    this.#book = book;
    this.#limits = limits;
    this.#numbers = new Map(book.pages.map(({ id }, index) => [id, index]));
  }

  /** Adds a destination for a page, or for a heading on it, at a vertical position on the current sheet. */
  addDestination(page: BookPage, anchor: string | undefined, y: number): void {
    const name = this.#nameOf(page.id, anchor);
    if (name === undefined || this.#made.has(name)) return;
    if (anchor !== undefined && this.#made.size >= this.#limits.maxDestinations) return;
    this.#made.add(name);
    this.#doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 8), null as unknown as number);
  }

  /** Makes a rectangle on the current sheet a link. */
  addLink(target: LinkTarget, { x, y, width, height }: Box): void {
    if ('url' in target) {
      this.#doc.link(x, y, width, height, target.url);
      return;
    }
    const page = this.#nameOf(target.page);
    const name = this.#nameOf(target.page, target.anchor);
    if (page === undefined || name === undefined) return;
    this.#used.set(name, page);
    this.#doc.goTo(x, y, width, height, name);
  }

  /** Redirects links to missing headings to their pages. */
  finish(): void {
    for (const [name, page] of this.#used)
      if (!this.#made.has(name)) addDestinationAlias(this.#doc, name, page);
  }

  /** Resolves a content reference on a page; undefined if a PDF viewer cannot open it. */
  resolve(ref: unknown, page: BookPage): LinkTarget | undefined {
    const { linkTo } = this.#book;
    const target = linkTo === undefined ? addressIn(ref) : linkTo(ref, page);
    if (target === undefined || ('page' in target && this.#numbers.has(target.page))) return target;
    // Checked once per link, because a link may be drawn over thousands of lines.
    const url = toWebAddress('url' in target ? target.url : (target.elsewhere ?? ''));
    return url === undefined ? undefined : { url, label: target.label };
  }

  /** Returns the ASCII name of a destination, because viewers compare the bytes of names. */
  #nameOf(page: string, anchor = ''): string | undefined {
    const number = this.#numbers.get(page);
    if (number === undefined) return undefined;
    return anchor === '' ? `p${number}` : `p${number}.${Buffer.from(anchor.slice(0, 60)).toString('hex')}`;
  }
}

/** Returns an address if a viewer may open it: no script, no local file, and not too long. */
function toWebAddress(url: string): string | undefined {
  if (url.length > maxAddressLength || !isOpenScheme(schemeOf(url) ?? '') || parseUrl(url) === undefined)
    return undefined;
  const { href } = new URL(url);
  return href.length > 3 * maxAddressLength ? undefined : href;
}

function addressIn(ref: unknown): LinkTarget | undefined {
  const { kind, url } = (ref ?? {}) as { kind?: unknown; url?: unknown };
  return kind === 'url' && typeof url === 'string' ? { url } : undefined;
}
