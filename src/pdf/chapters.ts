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
import { colours, sheet } from './theme.ts';

type Bookmark = Doc['outline'];

export interface Chapter {
  readonly page: BookPage;
  /** Titles of the pages above it. */
  readonly above: readonly string[];
  /** Null where the text cannot be shown. */
  readonly nodes: readonly RichNode[] | null;
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly bookmark: Bookmark;
}

/** Draws a page of the book, on a sheet that has just been turned to. */
export async function drawChapter(
  { page, above, nodes, pictures, bookmark }: Chapter,
  canvas: Canvas,
  links: BookLinks,
  titleOf: (id: string) => string | undefined,
  pace: () => Promise<void>,
): Promise<void> {
  const targetOf = links.targetOf(page);
  const labelOf = (ref: unknown): string => {
    const target = targetOf(ref);
    return target?.label ?? (target !== undefined && 'page' in target ? titleOf(target.page) : undefined) ?? addressOf(ref);
  };
  const source = { page, pictureOf: (address: string) => pictures.get(address), targetOf, labelOf };
  let inner: { readonly level: number; readonly bookmark: Bookmark }[] = [];
  const anchors = new Set<string>();
  const scene: Scene = {
    canvas,
    source,
    pace,
    blocks: async (inside, style: BlockStyle) => {
      for (const [index, node] of (inside ?? []).entries()) await drawBlock(node, style, scene, inside!.slice(index + 1, index + 5));
    },
    headed: (node, level, y) => {
      const text = textOf(node.nodes).trim();
      const id = given(node, 'id');
      for (const anchor of new Set([freeAnchor(anchorOf(text), anchors), id])) if (anchor !== '') links.mark(canvas.doc, page, anchor, y);
      if (text === '' || level > 2) return;
      inner = inner.filter((one) => one.level < level);
      inner.push({ level, bookmark: bookmarkAt(inner.at(-1)?.bookmark ?? bookmark, text, y, false) });
    },
  };
  drawTitle(page, above, canvas);
  if (nodes === null) canvas.lines(brokenLines([plainSpan('The text of this page cannot be shown here.', { size: 9.6, italic: true, colour: colours.muted })], 9.6, canvas));
  else await scene.blocks(withoutTitle(nodes, page.title), topStyle);
}

/** A bookmark below another, at a height of the sheet that is drawn on. */
export function bookmarkAt(parent: Bookmark, title: string, y: number, expanded: boolean): Bookmark {
  return parent.addItem(title.slice(0, 300), { expanded, top: Math.max(0, y - 8), left: sheet.width } as never);
}

function drawTitle({ title, description }: BookPage, above: readonly string[], canvas: Canvas): void {
  if (above.length > 0) {
    const trail = above.join('  ›  ').slice(0, 300);
    canvas.lines(brokenLines([plainSpan(trail, { size: 8.4, colour: colours.muted })], 8.4, canvas));
    canvas.space(5);
  }
  const lines = brokenLines([plainSpan(title, { size: 23, bold: true, colour: colours.strong })], 23, canvas, 1.25);
  canvas.lines(lines);
  if (description !== undefined && description.trim() !== '') {
    canvas.space(7);
    canvas.lines(brokenLines([plainSpan(description.trim().slice(0, 2000), { size: 11, colour: colours.muted })], 11, canvas, 1.5));
  }
  canvas.space(15);
  canvas.rule(canvas.left, canvas.take(1), canvas.width, colours.line, 0.8);
  canvas.space(15);
  canvas.keep();
}

/** A page that begins with its own title would say it twice. */
function withoutTitle(nodes: readonly RichNode[], title: string): readonly RichNode[] {
  const [first, ...rest] = nodes;
  return first?.type === 'heading-1' && textOf(first.nodes).trim().toLowerCase() === title.trim().toLowerCase() ? rest : nodes;
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
function freeAnchor(anchor: string, taken: Set<string>): string {
  let free = anchor;
  for (let number = 1; taken.has(free); number++) free = `${anchor}-${number}`;
  taken.add(free);
  return free;
}
