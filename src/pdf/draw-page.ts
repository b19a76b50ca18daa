import type { RichNode } from '../contract/shapes.ts';
import { textOf, withoutTitle } from '../richtext/nodes.ts';
import { addressOf } from '../richtext/references.ts';
import type { Book, BookPage, BookWords } from './book.ts';
import { PageTooLongError, type Limits } from './budget.ts';
import type { Canvas } from './canvas.ts';
import { drawBlock, topStyle } from './draw-block.ts';
import { wrapText, type DrawContext } from './draw-context.ts';
import type { PdfDocument, Picture } from './engine.ts';
import type { BookLinks } from './links.ts';
import { dataText } from './spans.ts';
import { colors, gaps, sheet } from './theme.ts';

export type Bookmark = PdfDocument['outline'];

/** Maximum length of a heading in bookmarks and anchors. */
const maxHeadingLength = 300;

interface PageContent {
  readonly page: BookPage;
  /** The titles of its ancestors. */
  readonly ancestors: readonly string[];
  /** Null if the text cannot be shown. */
  readonly nodes: readonly RichNode[] | null;
  /** The pictures by their addresses. */
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly bookmark: Bookmark;
}

interface PageTools {
  readonly canvas: Canvas;
  readonly links: BookLinks;
  readonly words: BookWords;
  readonly tags: Book['tags'];
  readonly titleOf: (pageId: string) => string | undefined;
  /** Adds the bookmark of a heading. Returns undefined if there are too many. */
  readonly bookmarkHeading: (parent: Bookmark, title: string, y: number) => Bookmark | undefined;
}

/** Draws a page of the book on a new sheet. Returns whether it was drawn completely. */
export async function drawPage(
  { page, ancestors, nodes, pictures, bookmark }: PageContent,
  { canvas, links, words, tags, titleOf, bookmarkHeading }: PageTools,
): Promise<boolean> {
  const targetOf = (ref: unknown) => links.resolve(ref, page);
  const labelOf = (ref: unknown): string => {
    const target = targetOf(ref);
    const title = target !== undefined && 'page' in target ? titleOf(target.page) : undefined;
    return target?.label ?? title ?? addressOf(ref);
  };
  const pictureOf = (ref: unknown) => pictures.get(addressOf(ref));
  let headings: { level: number; bookmark: Bookmark }[] = [];
  const anchors = new Map<string, number>();
  const context: DrawContext = {
    canvas,
    words,
    tags,
    references: { pictureOf, targetOf, labelOf },
    drawBlocks: async (blocks = [], style) => {
      for (const [index, block] of blocks.entries())
        await drawBlock(block, style, context, blocks.slice(index + 1, index + 5));
    },
    addHeading: (node, level, y) => {
      const text = textOf(node.nodes).trim().slice(0, maxHeadingLength);
      const id = dataText(node, 'id').slice(0, maxHeadingLength);
      for (const anchor of new Set([uniqueAnchor(toAnchor(text), anchors), id]))
        if (anchor !== '') links.addDestination(page, anchor, y);
      if (text === '' || level > 2) return;
      headings = headings.filter((heading) => heading.level < level);
      const added = bookmarkHeading(headings.at(-1)?.bookmark ?? bookmark, text, y);
      if (added !== undefined) headings.push({ level, bookmark: added });
    },
  };
  canvas.budget.startPage();
  drawTitle(page, ancestors, canvas);
  if (nodes === null) {
    drawNote(words.textHidden, canvas);
    return true;
  }
  try {
    await context.drawBlocks(withoutTitle(nodes, page.title), topStyle);
    return true;
  } catch (error) {
    if (!(error instanceof PageTooLongError)) throw error;
    canvas.budget.startPage();
    canvas.reset();
    canvas.addGap(gaps.frame);
    drawNote(words.textCut, canvas);
    return false;
  }
}

/** Creates a function that adds bookmarks of headings up to a maximum number. */
export function headingBookmarker({ maxBookmarks }: Limits): PageTools['bookmarkHeading'] {
  let count = 0;
  return (parent, title, y) => (++count > maxBookmarks ? undefined : addBookmark(parent, title, y, false));
}

/** Adds a bookmark below another one, for a vertical position on the current sheet. */
export function addBookmark(parent: Bookmark, title: string, y: number, expanded: boolean): Bookmark {
  // Copied, because a slice of a string would keep the whole string in memory.
  const copy = Array.from(title.slice(0, 300)).join('');
  return parent.addItem(copy, { expanded, top: Math.max(0, y - 8), left: sheet.width } as never);
}

function drawNote(text: string, canvas: Canvas): void {
  canvas.drawLines(wrapText(text, { size: 9.6, italic: true, color: colors.muted }, canvas));
}

function drawTitle(
  { title, description = '' }: BookPage,
  ancestors: readonly string[],
  canvas: Canvas,
): void {
  if (ancestors.length > 0) {
    const trail = ancestors.join('  ›  ').slice(0, 300);
    canvas.drawLines(wrapText(trail, { size: 8.4, color: colors.muted }, canvas));
    canvas.addGap(5);
  }
  canvas.drawLines(wrapText(title, { size: 23, bold: true, color: colors.strong }, canvas, 1.25));
  const text = description.trim().slice(0, 2000);
  if (text !== '') {
    canvas.addGap(7);
    canvas.drawLines(wrapText(text, { size: 11, color: colors.muted }, canvas, 1.5));
  }
  canvas.addGap(15);
  canvas.drawRule(canvas.left, canvas.reserve(1), canvas.width, { weight: 0.8 });
  canvas.addGap(15);
  canvas.fixGap();
}

/** Converts a heading to an anchor: in lower case, with dashes between its words. */
function toAnchor(text: string): string {
  const words = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, '');
  return words.trim().replace(/\s+/g, '-');
}

/** Adds a number to the anchor of a repeated heading. */
function uniqueAnchor(anchor: string, taken: Map<string, number>): string {
  let unique = anchor;
  let number = taken.get(anchor) ?? 0;
  for (; taken.has(unique); number++) unique = `${anchor}-${number + 1}`;
  taken.set(anchor, number);
  taken.set(unique, 0);
  return unique;
}
