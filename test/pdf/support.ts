import type { RichDocumentValue, RichNode } from '../../src/contract/shapes.ts';
import type { Book, BookPage, Pdf } from '../../src/pdf/book.ts';
import { wordsOf } from '../../src/render/words.ts';
import { renderPdf, type RenderOptions } from '../../src/pdf/render-pdf.ts';
import { readPdf, type ReadPdf } from './read-pdf.ts';

/** Short names for the nodes of documents. */
export const text = (value: string, ...marks: string[]): RichNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: marks.map((type) => ({ object: 'mark', type })) }],
});
export const block = (
  type: string,
  nodes: readonly RichNode[] = [],
  data: object = {},
  fragments?: readonly RichNode[],
): RichNode => ({
  object: 'block',
  type,
  data: data as Record<string, unknown>,
  nodes,
  ...(fragments === undefined ? {} : { fragments }),
});
export const paragraph = (value: string): RichNode => block('paragraph', [text(value)]);
export const link = (ref: object, value: string): RichNode => ({
  object: 'inline',
  type: 'link',
  data: { ref },
  nodes: [text(value)],
});
export const code = (lines: readonly string[], data: object = {}): RichNode =>
  block(
    'code',
    lines.map((line) => block('code-line', [text(line)])),
    data,
  );
export const fragment = (name: string, nodes: readonly RichNode[]): RichNode => ({
  object: 'fragment',
  fragment: name,
  nodes,
});

/** A table of texts; the first row is the header. */
export function table([header, ...rows]: readonly (readonly string[])[]): RichNode {
  const columns = header!.map((_, index) => `c${index}`);
  const definition = Object.fromEntries(
    columns.map((id, index) => [id, { id, title: header![index], type: 'text' }]),
  );
  const records = rows.map((row, place) => [
    `r${place}`,
    {
      orderIndex: String(place).padStart(6, '0'),
      values: Object.fromEntries(
        columns.map((id, index) => [id, `f${place}-${index}`].slice(0, row.length + 1)),
      ),
    },
  ]);
  const fragments = rows.flatMap((row, place) =>
    row.map((value, index) => fragment(`f${place}-${index}`, [paragraph(value)])),
  );
  return block(
    'table',
    [],
    { view: { type: 'grid', columns, hideHeader: false }, definition, records: Object.fromEntries(records) },
    fragments,
  );
}

export const page = (
  id: string,
  nodes: readonly RichNode[] | null | undefined,
  more: Partial<BookPage> = {},
): BookPage => ({
  id,
  title: `Page ${id}`,
  depth: 0,
  path: id,
  ...(nodes === undefined
    ? {}
    : {
        document: (): RichDocumentValue | null =>
          nodes === null ? null : { object: 'document', data: {}, nodes },
      }),
  ...more,
});

export const book = (pages: readonly BookPage[], more: Partial<Book> = {}): Book => ({
  title: 'Guide',
  createdAt: '2026-01-05T09:00:00.000Z',
  words: wordsOf('en'),
  pages,
  imageOf: async () => 'absent',
  ...more,
});

/** Renders a PDF, and reads it. */
export async function rendered(
  given: Book,
  options: RenderOptions = {},
): Promise<ReadPdf & Omit<Pdf, 'bytes' | 'pages'> & { readonly count: number }> {
  const { bytes, pages, missing, undrawn, cut } = await renderPdf(given, { compress: false, ...options });
  return { ...readPdf(bytes), count: pages, missing, undrawn, cut };
}
