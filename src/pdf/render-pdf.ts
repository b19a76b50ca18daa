import { writeFacts, type Book, type BookPage, type Pdf } from './book.ts';
import { Budget, defaultLimits, tooManySheets, type Limits } from './budget.ts';
import { Canvas } from './canvas.ts';
import { divideContents, drawContents, drawCover, truncateText, type ContentsEntry } from './draw-front.ts';
import { addBookmark, drawPage, headingBookmarker, type Bookmark } from './draw-page.ts';
import { collectBytes, createDocument, movePagesToFront } from './engine.ts';
import type { FindPackage } from '../files/find-package.ts';
import { Fonts } from './fonts.ts';
import { BookLinks } from './links.ts';
import { PictureLoader } from './load-pictures.ts';
import { withNotes } from './notes.ts';
import { colors, sheet } from './theme.ts';

export interface RenderOptions {
  /** Whether streams are compressed (default true). */
  readonly compress?: boolean;
  /** Finds npm packages with additional fonts (default: those installed next to docsctl). */
  readonly findPackage?: FindPackage;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal | undefined;
  /** Called after each page of the book. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const marginStyle = { face: 'regular', size: 7.6, color: colors.muted } as const;

/**
 * Renders a book as a PDF: a title page, a table of contents, and the pages, each starting on a new sheet.
 *
 * @throws Problem(too-large) if it has too many sheets
 * @throws Problem(interrupted) if the signal is aborted
 */
export async function renderPdf(
  book: Book,
  { compress = true, findPackage, limits: changes, signal, onProgress }: RenderOptions = {},
): Promise<Pdf> {
  const { pages, words } = book;
  const limits = { ...defaultLimits, ...changes };
  // Each page needs at least one sheet, so this is known before drawing.
  if (pages.filter(({ document }) => document !== undefined).length > limits.maxSheets)
    throw tooManySheets(limits);
  const budget = new Budget(signal, limits);
  const doc = await createDocument(book, compress);
  const finish = collectBytes(doc);
  const fonts = new Fonts(doc, sampleOf(book), findPackage);
  const links = new BookLinks(doc, book, limits);
  const pictures = new PictureLoader(doc, book.imageOf, budget);
  // The number of sheets before the pages is known now; their content is drawn at the end. A single page has none.
  const front = pages.length === 1 ? 0 : 1 + divideContents(pages).length;
  let currentTitle = book.title;
  const canvas = new Canvas(doc, { fonts, links, budget }, (newSheet) => {
    drawHeader(newSheet, book.title, currentTitle);
    drawFooter(newSheet, front + newSheet.sheets);
  });
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  const tools = {
    canvas,
    links,
    words,
    tags: book.tags,
    titleOf: (pageId: string) => titles.get(pageId),
    bookmarkHeading: headingBookmarker(limits),
  };
  let cut = 0;
  const entries: ContentsEntry[] = [];
  /** The current page and its ancestors. */
  const path: { page: BookPage; bookmark: Bookmark }[] = [];
  const enterPage = (page: BookPage): Bookmark => {
    while ((path.at(-1)?.page.depth ?? -1) >= page.depth) path.pop();
    const parent = path.at(-1)?.bookmark ?? doc.outline;
    const bookmark = addBookmark(parent, page.linkTitle ?? page.title, 0, page.depth === 0);
    path.push({ page, bookmark });
    links.addDestination(page, undefined, 0);
    entries.push({ page, sheet: canvas.sheets });
    return bookmark;
  };
  let groups: BookPage[] = [];
  for (const [index, page] of pages.entries()) {
    // A page that only groups others has no sheet. Links to it lead to the first page below it.
    if (page.document === undefined && (pages[index + 1]?.depth ?? 0) > page.depth) {
      groups.push(page);
      continue;
    }
    currentTitle = page.title;
    canvas.addSheet();
    groups.forEach(enterPage);
    groups = [];
    const bookmark = enterPage(page);
    const text = page.document === undefined ? [] : ((await page.document())?.nodes ?? null);
    const nodes = text === null ? null : withNotes(text);
    const content = {
      page,
      ancestors: path.slice(0, -1).map((ancestor) => ancestor.page.title),
      nodes,
      pictures: await pictures.load(nodes ?? [], page),
      bookmark,
    };
    if (!(await drawPage(content, tools))) cut++;
    onProgress?.(index + 1, pages.length);
    await budget.pause(Infinity);
  }
  if (front > 0) {
    drawCover(book, canvas);
    await drawContents(entries, canvas, {
      front,
      heading: words.contents,
      drawFooter: (number) => drawFooter(canvas, number),
    });
    movePagesToFront(doc, front);
  }
  links.finish();
  const { undrawn } = pictures;
  const facts = { pages: front + canvas.sheets, missing: [...fonts.missing].sort(), undrawn, cut };
  writeFacts(doc, facts);
  return { bytes: await finish(), ...facts };
}

/** Returns text in the language of a book, without reading the whole book. */
function sampleOf({ title, subtitle = '', pages }: Book): string {
  const samples = pages
    .slice(0, 500)
    .map((page) => `${page.title} ${(page.description ?? '').slice(0, 300)}`);
  return [title, subtitle, ...samples].join(' ');
}

function drawHeader(canvas: Canvas, bookTitle: string, pageTitle: string): void {
  const width = sheet.width - sheet.left - sheet.right;
  const measure = (text: string) => canvas.fonts.width(text, marginStyle.face, marginStyle.size);
  const right = truncateText(pageTitle, width / 2 - 10, measure);
  const x = sheet.width - sheet.right - measure(right);
  canvas.drawText(truncateText(bookTitle, width / 2 - 10, measure), sheet.left, 46, marginStyle);
  canvas.drawText(right, x, 46, marginStyle);
  canvas.drawRule(sheet.left, 54, width, { weight: 0.5 });
}

function drawFooter(canvas: Canvas, number: number): void {
  const { face, size } = marginStyle;
  const x = sheet.width / 2 - canvas.fonts.width(String(number), face, size) / 2;
  canvas.drawText(String(number), x, sheet.height - 36, marginStyle);
}
