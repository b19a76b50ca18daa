import { describe, expect, it } from 'vitest';
import { readFacts } from '../../src/pdf/book.ts';
import { renderPdf } from '../../src/pdf/render-pdf.ts';
import { defaultLimits } from '../../src/pdf/budget.ts';
import { block, book, code, fragment, link, page, paragraph, rendered, table, text } from './support.ts';

const tail = 'is too long for a PDF and is cut off here';
const flat = (pages: readonly string[]) => pages.join('\n').replace(/\s+/g, ' ');
/** Counts how often other work can run in the meantime. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const spin = (): void => void setImmediate(() => (turns++, done || spin()));
  spin();
  await work();
  done = true;
  return turns;
}

describe('a page that is too expensive to draw', () => {
  const items = (count: number) => Array.from({ length: count }, () => block('list-item', []));
  const endless = {
    'a paragraph': [paragraph('word and '.repeat(6_000))],
    'one word': [paragraph('x'.repeat(55_000))],
    'a line of code': [code(['let x = 1;'.repeat(5_500)])],
    'a cell': [
      table([
        ['A', 'B'],
        ['word and '.repeat(6_000), 'b'],
      ]),
    ],
    'empty items in frames': [block('hint', [block('blockquote', [block('list-unordered', items(4_000))])])],
    headings: Array.from({ length: 2_300 }, () => block('heading-1', [text('a')])),
    dividers: Array.from({ length: 2_300 }, () => block('divider')),
    links: [
      block(
        'paragraph',
        Array.from({ length: 2_400 }, () => link({ kind: 'url', url: 'https://a.example' }, 'a')),
      ),
    ],
    leaves: [
      block('paragraph', [
        {
          object: 'text',
          leaves: Array.from({ length: 7_500 }, (_, index) => ({
            object: 'leaf',
            text: 'a',
            marks: index % 2 === 0 ? [{ type: 'bold' }] : [],
          })),
        },
      ]),
    ],
  };

  it.each(Object.entries(endless))(
    'is cut for %s with a notice, and the following pages are drawn',
    async (_, nodes) => {
      const pdf = await rendered(book([page('a', nodes), page('b', [paragraph('the next page')])]), {
        limits: { maxEffort: 50_000 },
      });
      expect(pdf.cut).toBe(1);
      const at = pdf.pages.findIndex((content) => content.replace(/\s+/g, ' ').includes(tail));
      expect(at).toBe(pdf.pages.length - 2);
      expect(pdf.pages.at(-1)).toContain('the next page');
    },
  );

  it('is counted in the metadata of the file', async () => {
    const { bytes } = await renderPdf(book([page('a', [code(['x '.repeat(30_000)])])]), {
      limits: { maxEffort: 50_000 },
    });
    expect(readFacts(bytes)).toMatchObject({ cut: 1 });
  });
});

describe('drawing an expensive page', () => {
  const long = 'some words '.repeat(4_000);
  it.each([
    ['a paragraph', [paragraph(long)]],
    ['a line of code', [code([long])]],
    ['a heading', [block('heading-2', [text(long)])]],
    [
      'a cell',
      [
        table([
          ['A', 'B'],
          [long, 'b'],
        ]),
      ],
    ],
    ['a caption', [block('images', [block('image', [], {}, [fragment('caption', [paragraph(long)])])])]],
  ])('lets other work run between the lines of %s', async (_, nodes) => {
    expect(await turnsDuring(() => renderPdf(book([page('a', nodes)])))).toBeGreaterThan(40);
  });

  it('stops when the signal is aborted', async () => {
    const stop = new AbortController();
    const made: number[] = [];
    const pages = Array.from({ length: 20 }, (_, index) => page(`p${index}`, [paragraph('text')]));
    const onProgress = (done: number, total: number) => {
      made.push(done);
      if (done === 3) stop.abort();
      expect(total).toBe(20);
    };
    await expect(renderPdf(book(pages), { signal: stop.signal, onProgress })).rejects.toMatchObject({
      reason: 'interrupted',
    });
    expect(made).toEqual([1, 2, 3]);
  });

  it('stops in the middle of a paragraph when the signal is aborted', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    const doc = page('a', [paragraph(long)]);
    await expect(
      renderPdf(book([doc]), { signal: stop.signal, onProgress: () => expect.unreachable() }),
    ).rejects.toMatchObject({ reason: 'interrupted' });
  });
});

describe('a PDF that is too large', () => {
  it('is refused before anything is drawn if it has too many pages', async () => {
    const drawn: number[] = [];
    const pages = Array.from({ length: defaultLimits.maxSheets + 1 }, (_, index) => page(`p${index}`, []));
    await expect(
      renderPdf(book(pages), { onProgress: (done) => void drawn.push(done) }),
    ).rejects.toMatchObject({ reason: 'too-large', hint: expect.stringContaining('--page') });
    expect(drawn).toEqual([]);
  });

  it('is refused when the limit of sheets is reached', async () => {
    // Each takes most of a sheet, but costs little to draw.
    const rules = Array.from({ length: 20 }, () => code(Array.from({ length: 40 }, () => '')));
    const pages = Array.from({ length: 8 }, (_, index) => page(`p${index}`, rules));
    await expect(renderPdf(book(pages), { limits: { maxSheets: 50 } })).rejects.toMatchObject({
      reason: 'too-large',
      message: 'The PDF would have more than 50 sheets.',
    });
  });
});

describe('links in a PDF', () => {
  it('are written as text if their URLs are too long', async () => {
    const url = 'http://'.repeat(2_000);
    const near = `https://example.com/${'a'.repeat(1_900)}`;
    const pdf = await rendered(
      book([
        page('a', [
          block('paragraph', [link({ kind: 'url', url }, url)]),
          block('paragraph', [link({ kind: 'url', url: near }, 'near')]),
        ]),
      ]),
    );
    expect(pdf.urls).toEqual([near]);
    expect(flat(pdf.pages).replaceAll(' ', '')).toContain('http://http://');
  });

  it('are created up to the limit', async () => {
    const nodes = Array.from({ length: 50 }, (_, index) =>
      block('paragraph', [link({ kind: 'url', url: `https://example.com/${index}` }, 'near')]),
    );
    const pdf = await rendered(book([page('a', nodes), page('b', [])]), { limits: { maxLinks: 20 } });
    // Each counts for slightly more than one, depending on the length of its URL.
    expect(pdf.urls).toHaveLength(19);
    // The links in the table of contents always exist.
    expect(pdf.jumps).toEqual([
      [2, 3],
      [2, pdf.pages.length],
    ]);
  });

  it('are resolved once, even if they take several lines', async () => {
    let asked = 0;
    const pdf = await rendered(
      book([page('a', [block('paragraph', [link({ kind: 'x' }, 'words of it '.repeat(500))])])], {
        linkTo: () => (asked++, { url: 'https://example.com/é' }),
      }),
    );
    expect(pdf.urls.length).toBeGreaterThan(50);
    expect(new Set(pdf.urls)).toEqual(new Set(['https://example.com/%C3%A9']));
    expect(asked).toBe(1);
  });
});

describe('bookmarks', () => {
  it('are created up to a limit, and equal headings have separate targets', async () => {
    const headings = Array.from({ length: 600 }, (_, index) =>
      block('heading-1', [text('a')], { id: `h${index}` }),
    );
    const to = page('z', [block('paragraph', [link({ anchor: 'a-599' }, 'there')])]);
    const pages = [page('a', headings), page('b', headings), to];
    const pdf = await rendered(
      book(pages, { linkTo: (ref) => ({ page: 'a', anchor: (ref as { anchor: string }).anchor }) }),
      { limits: { maxBookmarks: 1_000 } },
    );
    expect(pdf.outline.filter(([level]) => level === 1)).toHaveLength(1_000);
    expect(pdf.outline.at(-1)).toEqual([0, 'Page z']);
    const [, lands] = pdf.jumps.at(-1)!;
    expect(lands).toBeGreaterThan(20);
  });
});

describe('a table in a PDF', () => {
  it('that is wider than the sheet is cut, and lists the omitted columns', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `H${index}`);
    const pdf = await rendered(book([page('a', [table([names, names])])]));
    expect(flat(pdf.pages)).toMatch(/Columns that do not fit on the sheet \(\d+\): H\d+, H\d+/);
    const count = Number(/on the sheet \((\d+)\)/.exec(flat(pdf.pages))![1]);
    expect(count).toBeGreaterThan(270);
    expect(flat(pdf.pages)).toContain(`fit on the sheet (${count}): H${300 - count},`);
  });

  it('is cut if its cells contain too many blocks, without a stack overflow', async () => {
    const node = table([['A'], ['b']]);
    const inside = Array.from({ length: 130_000 }, () => paragraph(''));
    const pdf = await rendered(book([page('a', [{ ...node, fragments: [fragment('f0-0', inside)] }])]));
    expect(pdf.cut).toBe(1);
  }, 30_000);
});
