import type { Book, BookPage, Target } from './book.ts';
import type { Links } from './canvas.ts';
import type { Doc } from './engine.ts';
import type { Limits } from './work.ts';

export interface BookLinks extends Links {
  /** Makes a place that links can lead to: a page, or a heading on it. */
  readonly mark: (doc: Doc, page: BookPage, anchor: string | undefined, y: number) => void;
  /** Lets links to headings that are nowhere lead to their pages. */
  readonly finish: (doc: Doc) => void;
  readonly targetOf: (page: BookPage) => (ref: unknown) => Target | undefined;
}

/** The named places of a file, and the links to them. */
export function createLinks(book: Book, limits: Limits): BookLinks {
  const numbers = new Map(book.pages.map(({ id }, index) => [id, index]));
  const made = new Set<string>();
  const wanted = new Map<string, string>();
  const nameOf = (page: string, anchor: string | undefined): string | undefined => {
    const number = numbers.get(page);
    // Names are compared as bytes by viewers, so they are plain.
    return number === undefined
      ? undefined
      : `p${number}${anchor === undefined || anchor === '' ? '' : `.${Buffer.from(anchor.slice(0, 60)).toString('hex')}`}`;
  };
  return {
    mark: (doc, page, anchor, y) => {
      const name = nameOf(page.id, anchor)!;
      if (made.has(name) || (anchor !== undefined && made.size >= limits.places)) return;
      made.add(name);
      doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 8), null as unknown as number);
    },
    place: (doc, target, x, y, width, height) => {
      if ('url' in target) {
        doc.link(x, y, width, height, target.url);
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
      const { label } = target;
      if (!('url' in target) && numbers.has(target.page)) return target;
      // Looked at here, once for a link: it may be drawn over thousands of lines.
      const url = webAddress('url' in target ? target.url : (target.elsewhere ?? ''));
      return url === undefined ? undefined : { url, label };
    },
  };
}

/** Browsers take no longer addresses for sure. */
const longestAddress = 2000;

/** An address that a viewer may open; nothing that runs or that reads this machine, and nothing endless. */
function webAddress(url: string): string | undefined {
  if (url.length > longestAddress || !/^(https?|mailto|tel):/i.test(url) || !URL.canParse(url))
    return undefined;
  const { href } = new URL(url);
  return href.length > 3 * longestAddress ? undefined : href;
}

function addressIn(ref: unknown): Target | undefined {
  const { kind, url } = (ref ?? {}) as { kind?: unknown; url?: unknown };
  return kind === 'url' && typeof url === 'string' ? { url } : undefined;
}

/** The tree of names of a document, which pdfkit keeps to itself. */
interface Named {
  readonly _root: {
    readonly data: {
      readonly Names: {
        readonly data: {
          readonly Dests: {
            add(name: string, place: unknown): void;
            readonly _items: Record<string, unknown>;
          };
        };
      };
    };
  };
}

function addAlias(doc: Doc, name: string, page: string): void {
  const { Dests } = (doc as unknown as Named)._root.data.Names.data;
  const place = Dests._items[page];
  if (place !== undefined) Dests.add(name, place);
}
