import type { Book, BookPage, Pdf } from './book.ts';
import { Canvas } from './canvas.ts';
import { bookmarkAt, createBookmarker, drawChapter } from './chapters.ts';
import { collect, moveToFront, openDocument, type Doc } from './engine.ts';
import { writeFacts } from './facts.ts';
import type { FindPackage } from './font-files.ts';
import { openFonts } from './fonts.ts';
import { contentsSheets, drawContents, drawCover, shortened, type Entry } from './front.ts';
import { createLinks } from './links.ts';
import { createPictures } from './pictures.ts';
import { colours, sheet } from './theme.ts';
import { most, tooManySheets, Work, type Limits } from './work.ts';

export interface RenderOptions {
  /** Whether streams are compressed: true where nothing is said. */
  readonly compress?: boolean;
  /** Where npm packages with more fonts are found. */
  readonly findPackage?: FindPackage;
  /** Smaller limits than usual, for tests. */
  readonly limits?: Partial<Limits>;
  /** Ends the work with Problem interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Is told after each page of the book. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const small = { face: 'regular', size: 7.6, colour: colours.muted } as const;

/** Makes a PDF of a book: a title page, a table of contents, and its pages, each on a new sheet. Throws Problem too-large. */
export async function renderPdf(
  book: Book,
  { compress = true, findPackage, limits: given, signal, onProgress }: RenderOptions = {},
): Promise<Pdf> {
  const limits = { ...most, ...given };
  // Each takes a sheet at least, so nothing has to be drawn to know.
  if (book.pages.filter(({ document }) => document !== undefined).length > limits.sheets)
    throw tooManySheets(limits);
  const work = new Work(signal, limits);
  const doc = await openDocument({ title: book.title, createdAt: book.createdAt, compress });
  const finish = collect(doc);
  const fonts = openFonts(doc, sampleOf(book), findPackage);
  const links = createLinks(book, limits);
  const titles = new Map(book.pages.map(({ id, title }) => [id, title]));
  // The front takes as many sheets as there are titles for; only what stands on them is known at the end.
  // One page alone needs none.
  const front = book.pages.length === 1 ? 0 : 1 + contentsSheets(book.pages).length;
  let current = book.title;
  const canvas = new Canvas(doc, { fonts, links, work }, (turned) => {
    drawHeader(turned, book.title, current);
    drawFooter(turned, front + turned.sheets);
  });
  const pictures = createPictures(doc, book.imageOf, work);
  const mark = createBookmarker(limits);
  let cut = 0;
  const entries: Entry[] = [];
  const above: { readonly page: BookPage; readonly bookmark: Doc['outline'] }[] = [];
  const enter = (page: BookPage): Doc['outline'] => {
    while (above.length > 0 && above.at(-1)!.page.depth >= page.depth) above.pop();
    const bookmark = bookmarkAt(above.at(-1)?.bookmark ?? doc.outline, page.title, 0, page.depth === 0);
    above.push({ page, bookmark });
    links.mark(doc, page, undefined, 0);
    entries.push({ page, sheet: canvas.sheets });
    return bookmark;
  };
  let groups: BookPage[] = [];
  for (const [index, page] of book.pages.entries()) {
    // A page without a text over others takes no sheet: it leads to where the first of them begins.
    if (page.document === undefined && (book.pages[index + 1]?.depth ?? 0) > page.depth) {
      groups.push(page);
      continue;
    }
    current = page.title;
    canvas.turn();
    groups.forEach(enter);
    groups = [];
    const bookmark = enter(page);
    const nodes = page.document === undefined ? [] : (page.document()?.nodes ?? null);
    const chapter = {
      page,
      above: above.slice(0, -1).map((one) => one.page.title),
      nodes,
      pictures: await pictures.of(nodes ?? [], page),
      bookmark,
    };
    if (!(await drawChapter(chapter, canvas, links, { titleOf: (id) => titles.get(id), mark }))) cut++;
    onProgress?.(index + 1, book.pages.length);
    await work.pace(Infinity);
  }
  if (front > 0) {
    drawCover(book, canvas);
    await drawContents(entries, canvas, { front, footer: (number) => drawFooter(canvas, number) });
    moveToFront(doc, front);
  }
  links.finish(doc);
  const facts = {
    pages: front + canvas.sheets,
    missing: [...fonts.missing].sort(),
    undrawn: pictures.undrawn,
    cut,
  };
  writeFacts(doc, facts);
  return { bytes: await finish(), ...facts };
}

/** What of a book tells the language it is in without reading all of it. */
function sampleOf({ title, subtitle = '', pages }: Book): string {
  return [
    title,
    subtitle,
    ...pages.slice(0, 500).map((page) => `${page.title} ${(page.description ?? '').slice(0, 300)}`),
  ].join(' ');
}

function drawHeader(canvas: Canvas, book: string, page: string): void {
  const room = (sheet.width - sheet.left - sheet.right) / 2 - 10;
  const width = (text: string) => canvas.fonts.width(text, small.face, small.size);
  const right = shortened(page, room, width);
  const x = sheet.width - sheet.right - width(right);
  canvas.write(shortened(book, room, width), sheet.left, 46, small);
  canvas.write(right, x, 46, small);
  canvas.rule(sheet.left, 54, sheet.width - sheet.left - sheet.right, colours.line, 0.5);
}

function drawFooter(canvas: Canvas, number: number): void {
  const x = sheet.width / 2 - canvas.fonts.width(String(number), small.face, small.size) / 2;
  canvas.write(String(number), x, sheet.height - 36, small);
}
