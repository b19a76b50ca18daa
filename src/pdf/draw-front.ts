import type { Book, BookPage } from './book.ts';
import { costs } from './budget.ts';
import type { Canvas } from './canvas.ts';
import { plainSpan, type TextStyle } from './spans.ts';
import { colors, sheet } from './theme.ts';
import { wrapLines, type Line } from './wrap-lines.ts';

/** A line of the table of contents. */
export interface ContentsEntry {
  readonly page: BookPage;
  /** The sheet on which the page starts, not counting the cover and the table of contents. */
  readonly sheet: number;
}

const width = sheet.width - sheet.left - sheet.right;
const contentsTop = sheet.top + 44;
const entryHeight = 16.5;

/** Draws the cover of a book on the current sheet. */
export function drawCover({ title, subtitle = '', createdAt, words }: Book, canvas: Canvas): void {
  const { doc } = canvas;
  let y = 265;
  const draw = (text: string, style: TextStyle, leading: number, maxLines: number): void => {
    for (const line of wrap(text, style, leading, canvas).slice(0, maxLines)) {
      canvas.drawLine(line, sheet.left, y);
      y += line.height;
    }
  };
  canvas.addBareSheet();
  doc.rect(0, 0, sheet.width, 10).fill(colors.accent);
  doc.roundedRect(sheet.left, y - 30, 46, 5, 2.5).fill(colors.accent);
  draw(title, { size: title.length > 60 ? 25 : 33, bold: true, color: colors.strong }, 1.22, 8);
  if (subtitle !== '') {
    y += 12;
    draw(subtitle, { size: 13, color: colors.muted }, 1.45, 10);
  }
  canvas.drawRule(sheet.left, sheet.height - 96, width);
  y = sheet.height - 84;
  const date = words.date(createdAt.slice(0, 10));
  draw(date, { size: 10, color: colors.muted }, 1.4, 1);
}

/** Divides the table of contents into sheets. This depends only on the depths of the pages, so it is known before drawing. */
export function divideContents<T extends { depth: number }>(pages: readonly T[]): T[][] {
  let current: T[] = [];
  const sheets = [current];
  let y = contentsTop;
  for (const page of pages) {
    if (y + heightOf(page, current.length === 0) > sheet.height - sheet.bottom) {
      current = [];
      sheets.push(current);
      y = sheet.top;
    }
    y += heightOf(page, current.length === 0);
    current.push(page);
  }
  return sheets;
}

/** Draws the table of contents. Each line links to its page. */
export async function drawContents(
  entries: readonly ContentsEntry[],
  canvas: Canvas,
  {
    front,
    heading,
    drawFooter,
  }: {
    front: number;
    heading: string;
    drawFooter: (sheetNumber: number) => void;
  },
): Promise<void> {
  const sheets = divideContents(entries.map((entry) => ({ entry, depth: entry.page.depth })));
  for (const [index, lines] of sheets.entries()) {
    canvas.addBareSheet();
    drawFooter(index + 2);
    let y: number = sheet.top;
    if (index === 0) {
      const [title] = wrap(heading, { size: 21, bold: true, color: colors.strong }, 1.2, canvas);
      if (title !== undefined) canvas.drawLine(title, sheet.left, y + 8 - title.baseline);
      y = contentsTop;
    }
    for (const [place, line] of lines.entries()) {
      y += heightOf(line, place === 0);
      drawEntry(line.entry, y - entryHeight, canvas, front);
      await canvas.budget.pause(costs.entry);
    }
  }
}

function heightOf({ depth }: { depth: number }, isFirst: boolean): number {
  return entryHeight + (depth === 0 && !isFirst ? 5 : 0);
}

function drawEntry({ page, sheet: number }: ContentsEntry, y: number, canvas: Canvas, front: number): void {
  const { doc, fonts } = canvas;
  const isTop = page.depth === 0;
  const size = isTop ? 10 : 9.4;
  const face = isTop ? 'bold' : 'regular';
  const color = isTop ? colors.strong : colors.text;
  const left = sheet.left + Math.min(page.depth, 8) * 15;
  const right = sheet.width - sheet.right;
  const shown = String(number + front);
  const numberWidth = fonts.width(shown, face, size);
  const title = truncateText(page.linkTitle ?? page.title, right - left - numberWidth - 30, (text) =>
    fonts.width(text, face, size),
  );
  const [line] = wrap(title, { size, bold: isTop, color }, entryHeight / size, canvas, Infinity);
  if (line === undefined) return;
  canvas.drawLine(line, left, y);
  const baseline = y + line.baseline;
  canvas.drawText(shown, right - numberWidth, baseline, { face, size, color });
  const from = left + line.width + 6;
  const to = right - numberWidth - 6;
  // The dots are on a grid, so that they are aligned across lines.
  const step = 4.4;
  for (let x = Math.ceil((from - sheet.left) / step) * step + sheet.left; x < to; x += step)
    doc.circle(x, baseline - 0.8, 0.5);
  doc.fill(colors.faint);
  canvas.addLink({ page: page.id }, { x: left, y, width: right - left, height: entryHeight });
}

function wrap(text: string, style: TextStyle, leading: number, { fonts }: Canvas, maxWidth = width): Line[] {
  const options = { width: maxWidth, leading, size: style.size };
  return [...wrapLines([plainSpan(text, style)], fonts, options)];
}

/** Cuts a text with an ellipsis if it is wider than `maxWidth`. */
export function truncateText(text: string, maxWidth: number, measure: (text: string) => number): string {
  if (text.length < 400 && measure(text) <= maxWidth) return text;
  const characters = Array.from(text.slice(0, 400));
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${characters.slice(0, middle).join('')}…`) <= maxWidth) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}
