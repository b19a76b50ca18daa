import type { LinkTarget } from './book.ts';
import { costs, tooManySheets, type Budget } from './budget.ts';
import { contentLength, drawText, paintBehind, type PdfDocument } from './engine.ts';
import type { Face } from './font-files.ts';
import type { Fonts, Run } from './fonts.ts';
import type { BookLinks, Box } from './links.ts';
import { colors, sheet } from './theme.ts';
import type { Line, Piece } from './wrap-lines.ts';

/** The frame behind blocks, repeated on every sheet: a bar at the left, a tint, a border, and the padding. */
export interface FrameStyle {
  readonly bar?: string;
  readonly tint?: string;
  readonly border?: string;
  readonly left: number;
  readonly right: number;
  /** Padding at the top and at the bottom. */
  readonly vertical: number;
}

interface Frame {
  readonly style: FrameStyle;
  readonly left: number;
  readonly right: number;
  top: number;
  /** The length of the page's content at the start of the frame. */
  start: number;
}

export type Align = 'left' | 'center' | 'right';
/** The share of the remaining width that is at the left. */
export const alignments = { left: 0, center: 0.5, right: 1 };

const noFrame: FrameStyle = { left: 0, right: 0, vertical: 0 };
/** Maximum number of nested frames, because each takes space at both ends of a sheet. */
const maxFrames = 8;
/** Number of sheets after which the caches of fonts are cleared. */
const sheetsPerCache = 100;

/** The current sheet and the position on it. Blocks continue on the next sheet. */
export class Canvas {
  y: number = sheet.top;
  left: number = sheet.left;
  right: number = sheet.width - sheet.right;
  sheets = 0;
  /** Draws the marker of a list item before the next line. */
  marker: ((baseline: number, top: number) => void) | undefined;
  readonly doc: PdfDocument;
  readonly fonts: Fonts;
  readonly budget: Budget;
  readonly #links: BookLinks;
  readonly #decorate: (canvas: Canvas) => void;
  #linkCount = 0;
  #gap = 0;
  #isGapFixed = false;
  /** Whether the sheet is empty, so that a new one would not have more space. */
  #isEmpty = true;
  /** Whether the innermost frame is empty, so that no gap is needed. */
  #isFrameEmpty = true;
  #frames: Frame[] = [];

  /** `decorate` draws the common parts of every sheet. */
  constructor(
    doc: PdfDocument,
    { fonts, links, budget }: { fonts: Fonts; links: BookLinks; budget: Budget },
    decorate: (canvas: Canvas) => void,
  ) {
    this.doc = doc;
    this.fonts = fonts;
    this.budget = budget;
    this.#links = links;
    this.#decorate = decorate;
  }

  get width(): number {
    return this.right - this.left;
  }

  /** The available height of an empty sheet inside the open frames. */
  get sheetHeight(): number {
    return this.#bottom - sheet.top - sumPadding(this.#frames);
  }

  get heightLeft(): number {
    return this.#bottom - this.y - (this.#isFrameEmpty ? 0 : this.#gap);
  }

  /** Whether text may be indented. Blocks that are nested deeper are not indented further. */
  get canIndent(): boolean {
    return this.width > 150;
  }

  /** The end of the available space of the sheet, excluding the ends of frames. */
  get #bottom(): number {
    return sheet.height - sheet.bottom - sumPadding(this.#frames);
  }

  /** Requests a gap before the next block. If several gaps are requested, the largest one counts. */
  addGap(height: number): void {
    if (!this.#isGapFixed) this.#gap = Math.max(this.#gap, height);
  }

  /** Applies the requested gap. */
  fixGap(): void {
    this.#isGapFixed = true;
  }

  /** Starts a new sheet, with the open frames. @throws Problem(too-large) if there are too many sheets */
  addSheet(): void {
    for (const [index, frame] of [...this.#frames.entries()].toReversed()) {
      const padding = sumPadding(this.#frames.slice(index));
      const isEmpty = this.y - frame.top - padding < 1;
      if (!isEmpty) this.#paint(frame, this.y + padding);
    }
    if (this.sheets >= this.budget.limits.maxSheets) throw tooManySheets(this.budget.limits);
    this.addBareSheet();
    this.sheets++;
    if (this.sheets % sheetsPerCache === 0) this.fonts.clearCache();
    this.y = sheet.top;
    this.#gap = 0;
    this.#isFrameEmpty = true;
    this.#isEmpty = true;
    this.#decorate(this);
    for (const frame of this.#frames) {
      frame.top = this.y;
      frame.start = contentLength(this.doc);
      this.y += frame.style.vertical;
    }
  }

  /** Adds a sheet that is neither counted nor decorated. */
  addBareSheet(): void {
    this.doc.addPage({ size: [sheet.width, sheet.height], margin: 0 });
  }

  /** Starts a new sheet if less than this height is left. */
  ensureHeight(height: number): void {
    if (height > this.heightLeft && !this.#isEmpty) this.addSheet();
  }

  /** Reserves a height, on the next sheet if necessary, and returns its top. */
  reserve(height: number): number {
    this.ensureHeight(height);
    if (!this.#isFrameEmpty) this.y += this.#gap;
    this.#gap = 0;
    this.#isFrameEmpty = false;
    this.#isGapFixed = false;
    if (height > 0) this.#isEmpty = false;
    const top = this.y;
    this.y += height;
    return top;
  }

  openFrame(wanted: FrameStyle): void {
    const style = this.canIndent && this.#frames.length < maxFrames ? wanted : noFrame;
    this.ensureHeight(2 * style.vertical + 24);
    const top = this.reserve(0);
    const { left, right } = this;
    this.#frames.push({ style, left, right, top, start: contentLength(this.doc) });
    this.left += style.left;
    this.right -= style.right;
    this.y += style.vertical;
    this.#isFrameEmpty = true;
  }

  closeFrame(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    this.y += frame.style.vertical;
    this.#paint(frame, this.y);
    this.left = frame.left;
    this.right = frame.right;
    this.#gap = 0;
    this.#isFrameEmpty = false;
  }

  /** Closes all frames after the drawing of a page was aborted. */
  reset(): void {
    while (this.#frames.length > 0) this.closeFrame();
    this.left = sheet.left;
    this.right = sheet.width - sheet.right;
    this.marker = undefined;
  }

  drawLines(lines: Iterable<Line>, align: Align = 'left'): void {
    for (const _ of this.#flow(lines, align));
  }

  /** Draws lines one by one, with pauses. */
  async flowLines(lines: Iterable<Line>, align: Align = 'left'): Promise<void> {
    for (const _ of this.#flow(lines, align)) await this.budget.pause();
  }

  /** Keeps the first two lines and the last two lines together. */
  *#flow(lines: Iterable<Line>, align: Align): Generator<void> {
    const draw = (line: Line, following = 0): void => {
      this.ensureHeight(line.height + following);
      const x = this.left + (this.width - line.width) * alignments[align];
      this.drawLine(line, x, this.reserve(line.height));
    };
    let isFirst = true;
    let [one, two]: (Line | undefined)[] = [];
    for (const line of lines) {
      if (one !== undefined && two !== undefined) {
        draw(one, isFirst ? two.height : 0);
        isFirst = false;
        yield;
      }
      [one, two] = one === undefined ? [line] : [two ?? one, line];
    }
    if (one !== undefined) draw(one, two?.height);
    if (two !== undefined) draw(two);
  }

  drawLine(line: Line, x: number, top: number): void {
    const baseline = top + line.baseline;
    this.marker?.(baseline, top);
    this.marker = undefined;
    for (const piece of line.pieces) {
      const { target } = piece.span;
      const left = x + piece.x;
      this.#drawPiece(piece, left, top, baseline);
      if (target === undefined) continue;
      this.budget.spend(costs.link);
      // A long address counts more, because it is copied for each rectangle of a link.
      this.#linkCount += 1 + ('url' in target ? target.url.length / 500 : 0);
      if (this.#linkCount <= this.budget.limits.maxLinks)
        this.addLink(target, { x: left, y: top, width: piece.width, height: line.height });
    }
  }

  #drawPiece({ span, runs, width }: Piece, x: number, top: number, lineBaseline: number): void {
    const { picture, size, color, background } = span;
    if (picture !== undefined) {
      const height = (width * picture.height) / picture.width;
      picture.draw(this.doc, x, Math.max(top, lineBaseline - height + 2), width, height);
      return;
    }
    const y = lineBaseline - (span.rise ?? 0) * size;
    if (background !== undefined)
      this.doc.rect(x - 0.5, y - size * 0.98, width + 1, size * 1.36).fill(background);
    this.#drawRuns(runs, x, y, size, color);
    if (span.isStruck === true) this.drawRule(x, y - size * 0.28, width, { color });
  }

  drawText(
    text: string,
    x: number,
    baseline: number,
    { face, size, color }: { face: Face; size: number; color: string },
  ): void {
    this.#drawRuns(this.fonts.runs(text, face), x, baseline, size, color);
  }

  addLink(target: LinkTarget, box: Box): void {
    this.#links.addLink(target, box);
  }

  drawRule(
    x: number,
    y: number,
    width: number,
    { color = colors.line, weight = 0.6 }: { color?: string; weight?: number } = {},
  ): void {
    this.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(weight)
      .stroke(color);
  }

  #drawRuns(runs: readonly Run[], x: number, baseline: number, size: number, color: string): void {
    let left = x;
    for (const { font, text, width } of runs) {
      if (text.trim() !== '')
        drawText(this.doc.font(font).fontSize(size).fillColor(color), text, left, baseline);
      left += width * size;
    }
  }

  #paint({ style: { tint, border, bar }, left, right, top, start }: Frame, bottom: number): void {
    const [width, height] = [right - left, bottom - top];
    if (height <= 0) return;
    const { doc } = this;
    paintBehind(doc, start, () => {
      const radius = Math.min(4, height / 2);
      if (tint !== undefined) doc.roundedRect(left, top, width, height, radius).fill(tint);
      if (border !== undefined)
        doc.roundedRect(left, top, width, height, radius).lineWidth(0.7).stroke(border);
      if (bar !== undefined) doc.roundedRect(left, top, 3, height, 1.5).fill(bar);
    });
  }
}

function sumPadding(frames: readonly Frame[]): number {
  return frames.reduce((sum, { style }) => sum + style.vertical, 0);
}
