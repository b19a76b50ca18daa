import type { RichNode } from '../contract/shapes.ts';
import { addressOf } from '../richtext/references.ts';
import type { BookPage } from './book.ts';
import { drawBlock, topStyle } from './blocks.ts';
import type { Canvas } from './canvas.ts';
import type { Doc } from './engine.ts';
import type { BookLinks } from './links.ts';
import type { Picture } from './pictures.ts';
import { brokenLines, given, type BlockStyle, type Scene } from './scene.ts';
import { plainSpan, textOf } from './spans.ts';
import { colours, gaps, sheet } from './theme.ts';
import { PageTooLong, type Limits } from './work.ts';

type Bookmark = Doc['outline'];
/** Of longer headings only so much is looked at for bookmarks and anchors. */
const longestHeading = 300;

export interface Chapter {
  readonly page: BookPage;
  /** Titles of the pages above it. */
  readonly above: readonly string[];
  /** Null where the text cannot be shown. */
  readonly nodes: readonly RichNode[] | null;
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly bookmark: Bookmark;
}

/** Draws a page of the book, on a sheet that has just been turned to; tells whether all of it could be drawn. */
export async function drawChapter(
  { page, above, nodes, pictures, bookmark }: Chapter,
  canvas: Canvas,
  links: BookLinks,
  { titleOf, mark }: { readonly titleOf: (id: string) => string | undefined; readonly mark: Bookmarker },
): Promise<boolean> {
  const targetOf = links.targetOf(page);
  const labelOf = (ref: unknown): string => {
    const target = targetOf(ref);
    return (
      target?.label ??
      (target !== undefined && 'page' in target ? titleOf(target.page) : undefined) ??
      addressOf(ref)
    );
  };
  const source = { page, pictureOf: (address: string) => pictures.get(address), targetOf, labelOf };
  let inner: { readonly level: number; readonly bookmark: Bookmark }[] = [];
  const anchors = new Map<string, number>();
  const scene: Scene = {
    canvas,
    source,
    blocks: async (inside, style: BlockStyle) => {
      for (const [index, node] of (inside ?? []).entries())
        await drawBlock(node, style, scene, inside!.slice(index + 1, index + 5));
    },
    headed: (node, level, y) => {
      const text = textOf(node.nodes).trim().slice(0, longestHeading);
      const id = given(node, 'id').slice(0, longestHeading);
      for (const anchor of new Set([freeAnchor(anchorOf(text), anchors), id]))
        if (anchor !== '') links.mark(canvas.doc, page, anchor, y);
      if (text === '' || level > 2) return;
      inner = inner.filter((one) => one.level < level);
      const made = mark(inner.at(-1)?.bookmark ?? bookmark, text, y);
      if (made !== undefined) inner.push({ level, bookmark: made });
    },
  };
  canvas.work.beginPage();
  drawTitle(page, above, canvas);
  if (nodes === null) drawRemark('The text of this page cannot be shown here.', canvas);
  else
    try {
      await scene.blocks(withoutTitle(nodes, page.title), topStyle);
    } catch (error) {
      if (!(error instanceof PageTooLong)) throw error;
      canvas.work.beginPage();
      canvas.closeAll();
      canvas.space(gaps.frame);
      drawRemark('The text of this page goes on; it is too long for a PDF and is cut here.', canvas);
      return false;
    }
  return true;
}

function drawRemark(text: string, canvas: Canvas): void {
  canvas.lines(
    brokenLines([plainSpan(text, { size: 9.6, italic: true, colour: colours.muted })], 9.6, canvas),
  );
}

/** Makes bookmarks below others, while there are not too many. */
export type Bookmarker = (parent: Bookmark, title: string, y: number) => Bookmark | undefined;

/** So many bookmarks of headings may one book have; more help nobody. */
export function createBookmarker({ bookmarks }: Limits): Bookmarker {
  let count = 0;
  return (parent, title, y) => (++count > bookmarks ? undefined : bookmarkAt(parent, title, y, false));
}

/** A bookmark below another, at a height of the sheet that is drawn on. */
export function bookmarkAt(parent: Bookmark, title: string, y: number, expanded: boolean): Bookmark {
  // Copied: a part of a text would hold all of it.
  return parent.addItem(Array.from(title.slice(0, 300)).join(''), {
    expanded,
    top: Math.max(0, y - 8),
    left: sheet.width,
  } as never);
}

function drawTitle({ title, description }: BookPage, above: readonly string[], canvas: Canvas): void {
  if (above.length > 0) {
    const trail = above.join('  ›  ').slice(0, 300);
    canvas.lines(brokenLines([plainSpan(trail, { size: 8.4, colour: colours.muted })], 8.4, canvas));
    canvas.space(5);
  }
  const lines = brokenLines(
    [plainSpan(title, { size: 23, bold: true, colour: colours.strong })],
    23,
    canvas,
    1.25,
  );
  canvas.lines(lines);
  if (description !== undefined && description.trim() !== '') {
    canvas.space(7);
    canvas.lines(
      brokenLines(
        [plainSpan(description.trim().slice(0, 2000), { size: 11, colour: colours.muted })],
        11,
        canvas,
        1.5,
      ),
    );
  }
  canvas.space(15);
  canvas.rule(canvas.left, canvas.take(1), canvas.width, colours.line, 0.8);
  canvas.space(15);
  canvas.keep();
}

/** A page that begins with its own title would say it twice. */
function withoutTitle(nodes: readonly RichNode[], title: string): readonly RichNode[] {
  const [first, ...rest] = nodes;
  return first?.type === 'heading-1' &&
    textOf(first.nodes).trim().toLowerCase() === title.trim().toLowerCase()
    ? rest
    : nodes;
}

/** The anchor of a heading: its words in lower case with dashes, as links to sections write it. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

/** Equal headings of a page have numbers behind their anchors. */
function freeAnchor(anchor: string, taken: Map<string, number>): string {
  let free = anchor;
  let number = taken.get(anchor) ?? 0;
  for (; taken.has(free); number++) free = `${anchor}-${number + 1}`;
  taken.set(anchor, number);
  taken.set(free, taken.get(free) ?? 0);
  return free;
}
