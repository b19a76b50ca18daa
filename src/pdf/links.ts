import type { Book, BookPage, Target } from './book.ts';
import type { Links } from './canvas.ts';
import type { Doc } from './engine.ts';

export interface BookLinks extends Links {
  /** Makes a place that links can lead to: a page, or a heading on it. */
  readonly mark: (doc: Doc, page: BookPage, anchor: string | undefined, y: number) => void;
  /** Lets links to headings that are nowhere lead to their pages. */
  readonly finish: (doc: Doc) => void;
  readonly targetOf: (page: BookPage) => (ref: unknown) => Target | undefined;
}

/** The named places of a file, and the links to them. */
export function createLinks(book: Book): BookLinks {
  const numbers = new Map(book.pages.map(({ id }, index) => [id, index]));
  const made = new Set<string>();
  const wanted = new Map<string, string>();
  const nameOf = (page: string, anchor: string | undefined): string | undefined => {
    const number = numbers.get(page);
    // Names are compared as bytes by viewers, so they are plain.
    return number === undefined ? undefined : `p${number}${anchor === undefined || anchor === '' ? '' : `.${Buffer.from(anchor).toString('hex').slice(0, 120)}`}`;
  };
  return {
    mark: (doc, page, anchor, y) => {
      const name = nameOf(page.id, anchor)!;
      if (made.has(name)) return;
      made.add(name);
      doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 8), null as unknown as number);
    },
    place: (doc, target, x, y, width, height) => {
      if ('url' in target) {
        const url = webAddress(target.url);
        if (url !== undefined) doc.link(x, y, width, height, url);
        return;
      }
      const name = nameOf(target.page, target.anchor);
      if (name === undefined) return;
      wanted.set(name, nameOf(target.page, undefined)!);
      doc.goTo(x, y, width, height, name);
    },
    finish: (doc) => {
      for (const [name, page] of wanted) if (!made.has(name)) addAlias(doc, name, page);
    },
    targetOf: (page) => (ref) => {
      const target = book.linkTo === undefined ? addressIn(ref) : book.linkTo(ref, page);
      if (target === undefined) return undefined;
      if ('url' in target) return webAddress(target.url) === undefined ? undefined : target;
      if (numbers.has(target.page)) return target;
      return target.elsewhere === undefined ? undefined : { url: target.elsewhere, label: target.label };
    },
  };
}

/** An address that a viewer may open; nothing that runs or that reads this machine. */
function webAddress(url: string): string | undefined {
  if (!/^(https?|mailto|tel):/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).href.slice(0, 2000);
}

function addressIn(ref: unknown): Target | undefined {
  const { kind, url } = (ref ?? {}) as { kind?: unknown; url?: unknown };
  return kind === 'url' && typeof url === 'string' ? { url } : undefined;
}

/** The tree of names of a document, which pdfkit keeps to itself. */
interface Named {
  readonly _root: {
    readonly data: { readonly Names: { readonly data: { readonly Dests: { add(name: string, place: unknown): void; readonly _items: Record<string, unknown> } } } };
  };
}

function addAlias(doc: Doc, name: string, page: string): void {
  const { Dests } = (doc as unknown as Named)._root.data.Names.data;
  const place = Dests._items[page];
  if (place !== undefined) Dests.add(name, place);
}
