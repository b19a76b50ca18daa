import type { Book, BookPage } from './book.ts';
import type { Canvas } from './canvas.ts';
import { breakLines } from './lines.ts';
import { plainSpan } from './spans.ts';
import { colours, sheet } from './theme.ts';
import { costs } from './work.ts';

/** A line of the table of contents. */
export interface Entry {
  readonly page: BookPage;
  /** The number printed on the sheet where the page begins, counted without the front. */
  readonly sheet: number;
}

const width = sheet.width - sheet.left - sheet.right;
const contentsTop = sheet.top + 44;

/** Draws the title page. */
export function drawCover({ title, subtitle, createdAt }: Book, canvas: Canvas): void {
  const { doc, fonts } = canvas;
  doc.addPage({ size: [sheet.width, sheet.height], margin: 0 });
  doc.rect(0, 0, sheet.width, 10).fill(colours.accent);
  const size = title.length > 60 ? 25 : 33;
  const lines = breakLines([plainSpan(title, { size, bold: true, colour: colours.strong })], fonts, {
    width,
    leading: 1.22,
    size,
  }).slice(0, 8);
  let y = 265;
  doc.roundedRect(sheet.left, y - 30, 46, 5, 2.5).fill(colours.accent);
  for (const line of lines) {
    canvas.line(line, sheet.left, y);
    y += line.height;
  }
  if (subtitle !== undefined && subtitle !== '') {
    y += 12;
    for (const line of breakLines([plainSpan(subtitle, { size: 13, colour: colours.muted })], fonts, {
      width,
      leading: 1.45,
      size: 13,
    }).slice(0, 10)) {
      canvas.line(line, sheet.left, y);
      y += line.height;
    }
  }
  const [date] = breakLines([plainSpan(dayOf(createdAt), { size: 10, colour: colours.muted })], fonts, {
    width,
    leading: 1.4,
    size: 10,
  });
  canvas.rule(sheet.left, sheet.height - 96, width, colours.line);
  canvas.line(date!, sheet.left, sheet.height - 84);
}

/** How the entries lie on the sheets of the table of contents; their number is known before anything is drawn. */
export function contentsSheets(
  pages: readonly Pick<BookPage, 'depth'>[],
): { readonly first: number; readonly last: number }[] {
  const sheets: { first: number; last: number }[] = [];
  let y = contentsTop;
  let first = 0;
  pages.forEach(({ depth }, index) => {
    const height = heightOf(depth, index === first);
    if (y + height > sheet.height - sheet.bottom) {
      sheets.push({ first, last: index });
      [first, y] = [index, sheet.top];
    }
    y += heightOf(depth, index === first);
  });
  sheets.push({ first, last: pages.length });
  return sheets;
}

/** Draws the table of contents; every line leads to its page. */
export async function drawContents(
  entries: readonly Entry[],
  canvas: Canvas,
  { front, footer }: { readonly front: number; readonly footer: (number: number) => void },
): Promise<void> {
  const { doc } = canvas;
  for (const [index, { first, last }] of contentsSheets(entries.map(({ page }) => page)).entries()) {
    doc.addPage({ size: [sheet.width, sheet.height], margin: 0 });
    footer(index + 2);
    let y: number = sheet.top;
    if (index === 0) {
      canvas.write('Contents', sheet.left, y + 8, { face: 'bold', size: 21, colour: colours.strong });
      y = contentsTop;
    }
    for (const [place, entry] of entries.slice(first, last).entries()) {
      const height = heightOf(entry.page.depth, place === 0);
      drawEntry(entry, y + height - lineHeight, canvas, front);
      y += height;
      await canvas.work.pace(costs.entry);
    }
  }
}

const lineHeight = 16.5;

function heightOf(depth: number, isFirst: boolean): number {
  return lineHeight + (depth === 0 && !isFirst ? 5 : 0);
}

function drawEntry({ page, sheet: number }: Entry, y: number, canvas: Canvas, front: number): void {
  const { doc, fonts } = canvas;
  const size = page.depth === 0 ? 10 : 9.4;
  const face = page.depth === 0 ? 'bold' : 'regular';
  const colour = page.depth === 0 ? colours.strong : colours.text;
  const left = sheet.left + Math.min(page.depth, 8) * 15;
  const right = sheet.width - sheet.right;
  const shown = String(number + front);
  const numberWidth = fonts.width(shown, face, size);
  const title = shortened(page.title, right - left - numberWidth - 30, (text) =>
    fonts.width(text, face, size),
  );
  const [line] = breakLines([plainSpan(title, { size, bold: page.depth === 0, colour })], fonts, {
    width: Infinity,
    leading: lineHeight / size,
    size,
  });
  canvas.line(line!, left, y);
  const baseline = y + line!.baseline;
  canvas.write(shown, right - numberWidth, baseline, { face, size, colour });
  const from = left + line!.width + 6;
  const to = right - numberWidth - 6;
  // Dots on a grid of the sheet, so that those of all lines stand below each other.
  const step = 4.4;
  for (let x = Math.ceil((from - sheet.left) / step) * step + sheet.left; x < to; x += step)
    doc.circle(x, baseline - 0.8, 0.5);
  doc.fill(colours.faint);
  canvas.follow({ page: page.id }, left, y, right - left, lineHeight);
}

/** The text, or its beginning with an ellipsis where it does not fit. */
export function shortened(text: string, room: number, measure: (text: string) => number): string {
  if (text.length < 400 && measure(text) <= room) return text;
  const characters = Array.from(text.slice(0, 400));
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${characters.slice(0, middle).join('')}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}

function dayOf(time: string): string {
  const date = new Date(time);
  const month = 'January February March April May June July August September October November December'.split(
    ' ',
  )[date.getUTCMonth()]!;
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
}
