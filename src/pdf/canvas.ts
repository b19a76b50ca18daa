import type { Target } from './book.ts';
import { markOf, paintBehind, writeText, type Doc } from './engine.ts';
import type { Face } from './font-files.ts';
import type { Fonts, Run } from './fonts.ts';
import type { Line } from './lines.ts';
import type { Span } from './spans.ts';
import { sheet } from './theme.ts';
import { costs, tooManySheets, type Work } from './work.ts';

/** What lies behind blocks, over as many sheets as they take: a bar at its left, a tint, a border. */
export interface FrameStyle {
  readonly bar?: string;
  readonly tint?: string;
  readonly border?: string;
  readonly pad: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}
interface Frame {
  readonly style: FrameStyle;
  readonly left: number;
  readonly right: number;
  top: number;
  mark: number;
}

/** Tells where a link of the book leads in the file, and paints links. */
export interface Links {
  readonly place: (doc: Doc, target: Target, x: number, y: number, width: number, height: number) => void;
}

type Align = 'left' | 'center' | 'right';
const flat: FrameStyle = { pad: { left: 0, right: 0, top: 0, bottom: 0 } };
/** Frames in frames take room at each end of a sheet. */
const mostFrames = 8;
/** After so many sheets what was measured is let go. */
const forgetEvery = 100;

/** The sheet that is drawn on, and the place on it: text flows down, and on to the next sheet. */
export class Canvas {
  y: number = sheet.top;
  left: number = sheet.left;
  right: number = sheet.width - sheet.right;
  sheets = 0;
  /** Draws what stands in front of the next line: the marker of a list item. */
  pending: ((baseline: number, top: number) => void) | undefined;
  private linked = 0;
  private gap = 0;
  /** Nothing is on the sheet yet: to turn it would change nothing. */
  private isTop = true;
  /** Nothing is above in this frame: no space is due. */
  private isFresh = true;
  private isKept = false;
  private frames: Frame[] = [];
  readonly doc: Doc;
  readonly fonts: Fonts;
  readonly work: Work;
  private readonly links: Links;
  private readonly decorate: (canvas: Canvas) => void;

  constructor(
    doc: Doc,
    { fonts, links, work }: { fonts: Fonts; links: Links; work: Work },
    decorate: (canvas: Canvas) => void,
  ) {
    this.doc = doc;
    this.fonts = fonts;
    this.links = links;
    this.work = work;
    this.decorate = decorate;
  }

  get width(): number {
    return this.right - this.left;
  }

  /** The lowest place for text; frames need room for their ends. */
  get bottom(): number {
    return sheet.height - sheet.bottom - sumOf(this.frames, 'bottom');
  }

  /** The height that a whole sheet has for what is drawn now. */
  get tallest(): number {
    return this.bottom - sheet.top - sumOf(this.frames, 'top');
  }

  /** What is left of this sheet. */
  get room(): number {
    return this.bottom - this.y - (this.isFresh ? 0 : this.gap);
  }

  /** Space above what comes next; of two spaces that meet, the larger counts. */
  space(height: number): void {
    if (!this.isKept) this.gap = Math.max(this.gap, height);
  }

  /** What comes next stays as near as the space says by now. */
  keep(): void {
    this.isKept = true;
  }

  /** Goes to the next sheet, with the frames that are open. */
  turn(): void {
    for (const [index, frame] of [...this.frames.entries()].toReversed()) {
      const inner = this.frames.slice(index);
      const isEmpty = this.y - frame.top - sumOf(inner, 'top') < 1;
      if (!isEmpty) this.paint(frame, this.y + sumOf(inner, 'bottom'));
    }
    if (this.sheets >= this.work.limits.sheets) throw tooManySheets(this.work.limits);
    this.doc.addPage({ size: [sheet.width, sheet.height], margin: 0 });
    this.sheets++;
    if (this.sheets % forgetEvery === 0) this.fonts.forget();
    this.y = sheet.top;
    this.gap = 0;
    this.isFresh = true;
    this.isTop = true;
    this.decorate(this);
    for (const frame of this.frames) {
      frame.top = this.y;
      frame.mark = markOf(this.doc);
      this.y += frame.style.pad.top;
    }
  }

  /** Turns the sheet unless so much fits on this one. */
  need(height: number): void {
    if (height > this.room && !this.isTop) this.turn();
  }

  /** Takes so much height, on the next sheet where this one has not enough; gives its top. */
  take(height: number): number {
    this.need(height);
    if (!this.isFresh) this.y += this.gap;
    this.gap = 0;
    this.isFresh = false;
    this.isKept = false;
    if (height > 0) this.isTop = false;
    const top = this.y;
    this.y += height;
    return top;
  }

  /** Whether there is room to set text in further; what is nested deeper goes on where it is. */
  get mayIndent(): boolean {
    return this.width > 150;
  }

  open(given: FrameStyle): void {
    const style = this.mayIndent && this.frames.length < mostFrames ? given : flat;
    this.need(style.pad.top + style.pad.bottom + 24);
    const top = this.take(0);
    this.frames.push({ style, left: this.left, right: this.right, top, mark: markOf(this.doc) });
    this.left += style.pad.left;
    this.right -= style.pad.right;
    this.y += style.pad.top;
    this.isFresh = true;
  }

  close(): void {
    const frame = this.frames.pop()!;
    this.y += frame.style.pad.bottom;
    this.paint(frame, this.y);
    this.left = frame.left;
    this.right = frame.right;
    this.gap = 0;
    this.isFresh = false;
  }

  /** Ends all frames, wherever the drawing of a page was given up. */
  closeAll(): void {
    while (this.frames.length > 0) this.close();
    this.left = sheet.left;
    this.right = sheet.width - sheet.right;
    this.pending = undefined;
  }

  /** Draws lines that are few. */
  lines(lines: Iterable<Line>, align: Align = 'left'): void {
    const drawn = this.eachDrawn(lines, align);
    while (drawn.next().done !== true);
  }

  /** Draws lines as they come; others have their turn between them. */
  async flow(lines: Iterable<Line>, align: Align = 'left'): Promise<void> {
    for (const _ of this.eachDrawn(lines, align)) await this.work.pace();
  }

  /** Two lines at least stay together, at the foot of a sheet and at the head of the next. */
  private *eachDrawn(lines: Iterable<Line>, align: Align): Generator<void> {
    const put = (line: Line, pair: number): void => {
      this.need(line.height + pair);
      this.line(
        line,
        this.left + (this.width - line.width) * { left: 0, center: 0.5, right: 1 }[align],
        this.take(line.height),
      );
    };
    const waiting: Line[] = [];
    let isFirst = true;
    for (const line of lines) {
      waiting.push(line);
      if (waiting.length < 3) continue;
      put(waiting.shift()!, isFirst ? waiting[0]!.height : 0);
      isFirst = false;
      yield;
    }
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift())
      put(line, waiting[0]?.height ?? 0);
  }

  line(line: Line, x: number, top: number): void {
    const baseline = top + line.baseline;
    this.pending?.(baseline, top);
    this.pending = undefined;
    for (const { span, runs, x: offset, width } of line.pieces) {
      const at = x + offset;
      if (span.picture !== undefined) {
        const height = (width * span.picture.height) / span.picture.width;
        span.picture.draw(this.doc, at, Math.max(top, baseline - height + 2), width, height);
      } else this.text(runs, at, baseline - (span.rise ?? 0) * span.size, span, width);
      if (span.target === undefined) continue;
      this.work.spend(costs.link);
      // Long addresses count more: each place where a link is drawn holds its own.
      this.linked += 1 + ('url' in span.target ? span.target.url.length / 500 : 0);
      if (this.linked <= this.work.limits.links) this.follow(span.target, at, top, width, line.height);
    }
  }

  private text(
    runs: readonly Run[],
    x: number,
    baseline: number,
    { size, colour, chip, strike }: Span,
    width: number,
  ): void {
    const { doc } = this;
    if (chip !== undefined) doc.rect(x - 0.5, baseline - size * 0.98, width + 1, size * 1.36).fill(chip);
    this.runs(runs, x, baseline, size, colour);
    if (strike === true) this.rule(x, baseline - size * 0.28, width, colour, 0.6);
  }

  /** Writes a text at a place of its own, in whatever fonts have it; gives its width. */
  write(
    text: string,
    x: number,
    baseline: number,
    { face, size, colour }: { readonly face: Face; readonly size: number; readonly colour: string },
  ): number {
    return this.runs(this.fonts.runs(text, face), x, baseline, size, colour);
  }

  /** Makes a place on the sheet a link. */
  follow(target: Target, x: number, y: number, width: number, height: number): void {
    this.links.place(this.doc, target, x, y, width, height);
  }

  rule(x: number, y: number, width: number, colour: string, weight = 0.6): void {
    this.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(weight)
      .stroke(colour);
  }

  private runs(runs: readonly Run[], x: number, baseline: number, size: number, colour: string): number {
    let at = x;
    for (const { font, text, width } of runs) {
      if (text.trim() !== '')
        writeText(this.doc.font(font).fontSize(size).fillColor(colour), text, at, baseline);
      at += width * size;
    }
    return at - x;
  }

  private paint({ style, left, right, top, mark }: Frame, bottom: number): void {
    const [width, height] = [right - left, bottom - top];
    if (height <= 0) return;
    const { doc } = this;
    paintBehind(doc, mark, () => {
      const radius = Math.min(4, height / 2);
      if (style.tint !== undefined) doc.roundedRect(left, top, width, height, radius).fill(style.tint);
      if (style.border !== undefined)
        doc.roundedRect(left, top, width, height, radius).lineWidth(0.7).stroke(style.border);
      if (style.bar !== undefined) doc.roundedRect(left, top, 3, height, 1.5).fill(style.bar);
    });
  }
}

function sumOf(frames: readonly Frame[], side: 'top' | 'bottom'): number {
  return frames.reduce((sum, { style }) => sum + style.pad[side], 0);
}
