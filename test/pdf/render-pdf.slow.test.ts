import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { readFacts } from '../../src/pdf/book.ts';
import { renderPdf } from '../../src/pdf/render-pdf.ts';
import { block, book, code, fragment, link, page, paragraph, rendered, table, text } from './support.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
/** Renders one page with the given blocks. */
const drawn = async (...nodes: RichNode[]) => rendered(book([page('a', nodes)]));
const flat = (pages: readonly string[]) => pages.join('\n').replace(/\s+/g, ' ');

describe('a PDF of several pages', () => {
  it('has a title page, a table of contents and each page on a new sheet', async () => {
    const pdf = await rendered(
      book([page('a', [paragraph('first')]), page('b', [paragraph('second')])], {
        subtitle: 'Change request 7',
      }),
    );
    expect(pdf.count).toBe(4);
    expect(pdf.pages).toHaveLength(4);
    expect(pdf.pages[0]).toBe('Guide\nChange request 7\nJanuary 5, 2026');
    expect(pdf.pages[1]!.split('\n')).toEqual(
      expect.arrayContaining(['Contents', 'Page a', '3', 'Page b', '4']),
    );
    expect(pdf.pages[2]).toContain('first');
    expect(pdf.pages[3]).toContain('second');
    // Header with the title of the book and of the page, footer with the number of the sheet.
    expect(pdf.pages[3]!.split('\n').slice(0, 3)).toEqual(['Guide', 'Page b', '4']);
    // The number, a digit of this width, is in the middle of the sheet.
    const [, number] = /1 0 0 1 ([\d.]+) 36 Tm/.exec(pdf.raw) ?? [];
    expect(Number(number) + 4.8354 / 2).toBeCloseTo(595.28 / 2, 2);
  });

  it('links from the table of contents to the pages, and has nested bookmarks', async () => {
    const pages = [
      page('g', undefined),
      page('a', [block('heading-2', [text('Inside')])], { depth: 1 }),
      page('b', [], { depth: 1 }),
      page('c', []),
    ];
    const pdf = await rendered(book(pages));
    expect(pdf.jumps).toEqual([
      [2, 3],
      [2, 3],
      [2, 4],
      [2, 5],
    ]);
    expect(pdf.outline).toEqual([
      [0, 'Page g'],
      [1, 'Page a'],
      [2, 'Inside'],
      [1, 'Page b'],
      [0, 'Page c'],
    ]);
    // A group has no sheet of its own. Its title is above the pages in it.
    expect(pdf.pages[2]!.split('\n')).toContain('Page g');
  });

  it('uses the link titles of pages in its table of contents and bookmarks', async () => {
    const pdf = await rendered(book([page('a', []), page('b', [], { linkTitle: 'Short' })]));
    expect(pdf.pages[1]!.split('\n')).toEqual(expect.arrayContaining(['Page a', 'Short']));
    expect(pdf.outline).toEqual([
      [0, 'Page a'],
      [0, 'Short'],
    ]);
    expect(pdf.pages[3]!.split('\n')).toContain('Page b');
  });

  it('contains only the page if there is just one', async () => {
    const pdf = await drawn(paragraph('only'));
    expect(pdf.pages).toHaveLength(1);
    expect(pdf.pages[0]).not.toContain('Contents');
  });

  it('has a table of contents whose length is computed before it is drawn', async () => {
    const pages = Array.from({ length: 120 }, (_, index) =>
      page(`n${index}`, [paragraph('text')], { depth: index % 3 }),
    );
    const pdf = await rendered(book(pages));
    const first = pdf.pages.findIndex((content) => content.includes('text'));
    expect(first).toBeGreaterThan(3);
    expect(pdf.pages).toHaveLength(first + 120);
    expect(pdf.pages[1]!.split('\n')[3]).toBe(String(first + 1));
    expect(pdf.jumps.slice(0, 120).map(([, to]) => to)).toEqual(pages.map((_, index) => first + 1 + index));
  });

  it('has the same bytes for the same content at any time', async () => {
    const make = () =>
      renderPdf(
        book([page('a', [paragraph(words(1000)), table([['A'], ['b']]), code(['x'])]), page('b', [])]),
      );
    const [one, other] = [await make(), await make()];
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true);
    expect(
      Buffer.from(
        (await renderPdf(book([page('a', [])], { createdAt: '2026-01-06T09:00:00.000Z' }))).bytes,
      ).includes('D:20260106090000Z'),
    ).toBe(true);
  });

  it('contains the number of pages and missing scripts in its metadata', async () => {
    const { bytes, pages } = await renderPdf(book([page('a', [paragraph('漢字 한글')]), page('b', [])]));
    expect(readFacts(bytes)).toEqual({ pages, missing: ['Han', 'Hangul'], undrawn: {}, cut: 0 });
    expect(readFacts(Buffer.from('%PDF-1.7 (docsctl: many pages)'))).toBeUndefined();
  });

  it('lets other work run while it is created', async () => {
    let turns = 0;
    let done = false;
    const spin = (): void => void setImmediate(() => (turns++, done || spin()));
    spin();
    await renderPdf(
      book([
        page(
          'a',
          Array.from({ length: 600 }, () => paragraph('text')),
        ),
      ]),
    );
    done = true;
    expect(turns).toBeGreaterThan(8);
  });
});

describe('the blocks of a page', () => {
  it('are all drawn', async () => {
    const pdf = await drawn(
      block('heading-1', [text('Page a')]),
      block('paragraph', [
        text('bold', 'bold'),
        text(' italic', 'italic'),
        text(' code', 'code'),
        text(' gone', 'strikethrough'),
      ]),
      block(
        'list-ordered',
        [
          block('list-item', [
            paragraph('ordered'),
            block('list-unordered', [block('list-item', [paragraph('inner')])]),
          ]),
        ],
        { start: 9 },
      ),
      block('list-tasks', [block('list-item', [paragraph('task')], { checked: true })]),
      block('blockquote', [paragraph('quoted')]),
      block('hint', [paragraph('hinted')], { style: 'danger' }),
      block('tabs', [block('tabs-item', [paragraph('tabbed')], { title: 'Linux' })]),
      block('stepper', [block('stepper-step', [paragraph('stepped')])]),
      block('expandable', [], {}, [
        fragment('expandable-title', [text('Why?')]),
        fragment('expandable-body', [paragraph('because')]),
      ]),
      block('columns', [block('column', [paragraph('left')]), block('column', [paragraph('right')])]),
      code(['let x;'], { title: 'a.ts' }),
      block('math', [], { formula: 'e=mc^2' }),
      block('embed', [], { url: 'https://example.com/video' }),
      block('something-new', [paragraph('inside')]),
      block('divider'),
    );
    const lines = pdf.pages.join('\n').split('\n');
    // "Page a" is in the header and the title, so the first heading does not repeat it.
    expect(lines.filter((line) => line === 'Page a')).toHaveLength(2);
    const all = flat(pdf.pages);
    for (const part of [
      'bold italic',
      'code',
      'gone',
      '9.',
      'ordered',
      'inner',
      'task',
      'quoted',
      'hinted',
      'Linux',
      'tabbed',
      '1 stepped',
      'Why?',
      'because',
      'left',
      'right',
      'a.ts',
      'let x;',
      'e=mc^2',
      'inside',
    ])
      expect(all).toContain(part);
    expect(pdf.urls).toEqual(['https://example.com/video']);
  });

  it('leave out HTML tags and comments, and keep the text between them', async () => {
    const html = (value: string): RichNode =>
      block('paragraph', [
        { object: 'text', leaves: [{ object: 'leaf', text: value, marks: [], html: true }] },
      ]);
    const pdf = await drawn(html('<div class="x">shown</div><!-- hidden -->'), paragraph('a <b> c'));
    expect(flat(pdf.pages)).toContain('shown');
    expect(flat(pdf.pages)).not.toMatch(/hidden|class/);
    expect(flat(pdf.pages)).toContain('a <b> c');
  });

  it('wrap long words and long lines of code at the edge of the sheet', async () => {
    const pdf = await drawn(paragraph('x'.repeat(500)), code([`let a = '${'y'.repeat(500)}';`]));
    const widest = Math.max(...pdf.pages[0]!.split('\n').map((line) => line.length));
    expect(widest).toBeLessThan(110);
    expect(pdf.pages[0]!.replace(/[^xy]/g, '')).toHaveLength(1000);
  });

  it('continue on the next sheet: code keeps every line, and tables repeat their header', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const pdf = await drawn(
      code(lines),
      table([['Name', 'What'], ...lines.map((line) => [`name ${line}`, 'short'])]),
    );
    const all = pdf.pages
      .join('\n')
      .split('\n')
      .map((line) => line.trim());
    expect(pdf.pages.length).toBeGreaterThan(5);
    const tables = pdf.pages.filter((content) => content.includes('name line'));
    for (const content of tables) expect(flat([content])).toContain('Name What');
    expect(flat(all)).toContain('line 199 Name What name line 0 short');
    expect(all.join(' ').match(/name line \d+ short/g)).toHaveLength(200);
  });

  it('never leave a heading alone at the end of a sheet', async () => {
    const followers = [
      paragraph('The text'),
      code(['The text', 'b', 'c', 'd']),
      table([['The text'], ['b']]),
      block('hint', [paragraph('The text')]),
    ];
    const headings = [block('heading-2', [text('The heading')]), block('heading-3', [text('Another')])];
    const pages = [22, 23, 24, 25, 26, 27].flatMap((count) =>
      followers.map((follower, index) =>
        page(`${count}-${index}`, [
          ...Array.from({ length: count }, (_, line) => paragraph(`line ${line}`)),
          ...headings,
          follower,
        ]),
      ),
    );
    const { pages: sheets } = await rendered(book(pages));
    const found = sheets.filter((content) => content.includes('The heading'));
    expect(found).toHaveLength(24);
    for (const content of found) expect(content).toContain('The text');
    // Some headings must have been moved to the next sheet; otherwise this checks nothing.
    expect(found.some((content) => !content.includes('line 0'))).toBe(true);
  });

  it.each([
    ['a table', table([['The text'], ['b']])],
    ['code', code(['The text', 'b', 'c', 'd'])],
  ])('never leave a heading above %s alone at any position on the sheet', async (_, follower) => {
    const divider = block('divider');
    const pages = [0, 1, 2, 3, 4].flatMap((dividers) =>
      [20, 21, 22, 23, 24].map((count) =>
        page(`${dividers}-${count}`, [
          ...Array.from({ length: dividers }, () => divider),
          ...Array.from({ length: count }, (__, line) => paragraph(`line ${line}`)),
          block('heading-2', [text('The heading')]),
          follower,
        ]),
      ),
    );
    const { pages: sheets } = await rendered(book(pages));
    const found = sheets.filter((content) => content.includes('The heading'));
    expect(found).toHaveLength(25);
    for (const content of found) expect(content).toContain('The text');
    expect(found.some((content) => !content.includes('line 0'))).toBe(true);
  });

  it('are drawn even if a row is taller than a sheet or there are too many columns', async () => {
    const pdf = await drawn(
      table([
        ['A', 'B'],
        [words(2500), 'b'],
      ]),
      table([
        Array.from({ length: 40 }, (_, index) => `H${index}`),
        Array.from({ length: 40 }, () => 'value'),
      ]),
    );
    expect(flat(pdf.pages).match(/word\d+/g)).toHaveLength(2500);
  });

  it('can be nested to any depth', async () => {
    for (const type of ['blockquote', 'hint', 'list-unordered', 'stepper', 'expandable']) {
      const item = type === 'list-unordered' ? 'list-item' : type === 'stepper' ? 'stepper-step' : undefined;
      const wrap = (inner: RichNode): RichNode =>
        block(type, item === undefined ? [inner] : [block(item, [inner])]);
      let node = paragraph(words(40));
      for (let depth = 0; depth < 100; depth++) node = wrap(node);
      const pdf = await drawn(node);
      expect(flat(pdf.pages).match(/word\d+/g)).toHaveLength(40);
      expect(pdf.pages.length).toBeLessThan(8);
    }
  });

  it('are omitted if they are invalid', async () => {
    const types = [
      'paragraph',
      'heading-2',
      'list-ordered',
      'list-tasks',
      'code',
      'hint',
      'tabs',
      'stepper',
      'expandable',
      'images',
      'image',
      'table',
      'math',
      'embed',
      'file',
      'content-ref',
      'divider',
      'odd',
    ];
    const { nodes } = fc.letrec<{ nodes: RichNode[]; node: RichNode }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((value) => text(value, 'bold')),
        fc.record({
          object: fc.constant('block'),
          type: fc.constantFrom(...types),
          data: fc.dictionary(
            fc.constantFrom(
              'ref',
              'view',
              'records',
              'definition',
              'formula',
              'start',
              'checked',
              'width',
              'title',
            ),
            fc.jsonValue({ maxDepth: 2 }),
          ),
          nodes: tie('nodes'),
        }) as fc.Arbitrary<RichNode>,
        fc.record({
          object: fc.constant('inline'),
          type: fc.constantFrom('link', 'inline-image', 'emoji', 'inline-math', 'mention', 'button', 'odd'),
          data: fc.dictionary(
            fc.constantFrom('ref', 'code', 'label', 'formula'),
            fc.jsonValue({ maxDepth: 1 }),
          ),
          nodes: tie('nodes'),
        }) as fc.Arbitrary<RichNode>,
      ),
      nodes: fc.array(tie('node'), { maxLength: 4 }),
    }));
    // This draws many documents in one PDF, because opening the fonts takes longer than drawing one document.
    await fc.assert(
      fc.asyncProperty(fc.array(nodes, { minLength: 20, maxLength: 20 }), async (documents) => {
        const { pages } = await renderPdf(book(documents.map((given, index) => page(String(index), given))));
        expect(pages).toBeGreaterThan(20);
        expect(pages).toBeLessThan(100);
      }),
      { numRuns: 4 },
    );
  }, 60_000);

  it('are replaced by a notice if they cannot be read', async () => {
    const pdf = await rendered(book([page('a', null), page('b', [])]));
    expect(flat(pdf.pages)).toContain('cannot be shown');
  });
});

describe('links between pages', () => {
  const to = (anchor?: string) => block('paragraph', [link({ kind: 'page', page: 'b', anchor }, 'there')]);
  const linkTo = (ref: unknown) => {
    const {
      kind,
      page: id,
      url,
      anchor,
    } = ref as { kind: string; page: string; url: string; anchor?: string };
    return kind === 'page' ? { page: id, anchor } : { url };
  };
  const jumpsFrom = async (node: RichNode) => {
    const pages = [
      page('a', [node]),
      page('b', [paragraph(words(2000)), block('heading-2', [text('Über uns!')])]),
    ];
    const pdf = await rendered(book(pages, { linkTo }));
    return pdf.jumps.filter(([from]) => from === 3).map(([, target]) => target);
  };

  it('lead to pages and headings of the PDF, and to the page if the heading does not exist', async () => {
    expect(await jumpsFrom(to())).toEqual([4]);
    expect((await jumpsFrom(to('über-uns')))[0]).toBeGreaterThan(4);
    expect(await jumpsFrom(to('nowhere'))).toEqual([4]);
  });

  it('lead to the right one of several headings with the same name', async () => {
    const twice = block('heading-2', [text('Twice')]);
    const far = paragraph(words(2000));
    const pageOf = async (anchor?: string) => {
      const pages = [page('a', [to(anchor)]), page('b', [far, twice, far, twice, far, twice])];
      const { jumps } = await rendered(book(pages, { linkTo }));
      return jumps.find(([from]) => from === 3)?.[1];
    };
    const [start, first, second, third] = [
      await pageOf(),
      await pageOf('twice'),
      await pageOf('twice-1'),
      await pageOf('twice-2'),
    ];
    expect([start, first, second, third]).toEqual(
      [...new Set([start, first, second, third])].sort((one, other) => Number(one) - Number(other)),
    );
    expect(await pageOf('twice-3')).toBe(start);
  });

  it('lead to web URLs, but never to URLs that run code or read files', async () => {
    const urls = [
      'https://example.com/ä',
      'mailto:a@b.test',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'https://',
      'relative.md',
    ];
    const pdf = await drawn(
      block(
        'paragraph',
        urls.map((url) => link({ kind: 'url', url }, url)),
      ),
    );
    expect(new Set(pdf.urls)).toEqual(new Set(['https://example.com/%C3%A4', 'mailto:a@b.test']));
  });
});

describe('fonts', () => {
  it('contain Latin, Greek, Cyrillic and symbols; other characters become □ and are reported', async () => {
    const pdf = await drawn(paragraph('Ελληνικά Кириллица → ✓ 漢字 🎉'));
    expect(flat(pdf.pages)).toContain('Ελληνικά Кириллица → ✓ □□ □');
    expect(pdf.missing).toEqual(['Emoji', 'Han']);
  });

  it('are loaded from an installed package if the others lack a character', async () => {
    const { findInstalled } = await import('../../src/files/find-package.ts');
    const asked: string[] = [];
    await rendered(book([page('a', [paragraph('かな')], { title: 'ひらがな' })]), {
      findPackage: (name) => (asked.push(name), findInstalled(name)),
    });
    expect(asked.filter((name) => name.startsWith('@'))).toEqual([
      '@embedpdf/fonts-jp',
      '@embedpdf/fonts-tc',
      '@embedpdf/fonts-sc',
      '@embedpdf/fonts-kr',
      '@fontsource/noto-emoji',
    ]);
  });

  it('replace a common emoji with a symbol', async () => {
    const pdf = await drawn(paragraph('done ✅ wrong ❌'));
    expect(flat(pdf.pages)).toContain('done ✔ wrong ✘');
    expect(pdf.missing).toEqual([]);
  });

  it('replace styled letters with plain ones if they lack them', async () => {
    const pdf = await drawn(paragraph('𝐔𝐓𝐒𝐀 Ｗｉｄｅ ㎏'));
    expect(flat(pdf.pages)).toContain('UTSA Wide kg');
    expect(pdf.missing).toEqual([]);
  });

  it('skip invisible characters', async () => {
    const pdf = await drawn(paragraph('a\u200Bb\u0000c\uFE0Fd\u202Ee 1\uFE0F\u20E3'));
    expect(flat(pdf.pages)).toContain('abcde 1');
    expect(pdf.missing).toEqual([]);
  });
});
