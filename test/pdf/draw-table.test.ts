import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import type { Book } from '../../src/pdf/book.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { block, book, fragment, page, paragraph, rendered } from './support.ts';

const columns = {
  title: { id: 'title', title: 'Title', type: 'text' },
  done: { id: 'done', title: 'Done', type: 'checkbox' },
  stars: { id: 'stars', title: 'Stars', type: 'rating' },
  state: { id: 'state', title: 'State', type: 'select', options: [{ value: 'a', label: 'Active' }] },
  files: { id: 'files', title: 'Files', type: 'files' },
  link: { id: 'link', title: 'Link', type: 'content-ref' },
};

/** A table of rows, drawn as cards or as a grid. */
const drawn = async (...given: Parameters<typeof draw>) =>
  (await draw(...given)).pages.join('\n').split('\n');
const draw = async (
  type: 'cards' | 'grid',
  rows: readonly Record<string, unknown>[],
  more: object = {},
  imageOf: Book['imageOf'] = async () => 'absent',
) => {
  const records = Object.fromEntries(
    rows.map((values, at) => [`r${at}`, { orderIndex: String(at), values }]),
  );
  const view = { type, columns: Object.keys(columns), ...more };
  const fragments = [fragment('f1', [paragraph('First card')]), fragment('f2', [paragraph('Second card')])];
  const node: RichNode = block('table', [], { view, definition: columns, records }, fragments);
  return rendered(book([page('a', [node])], { imageOf }));
};

/** A gray picture as PNG. */
function grayPng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    const body = Buffer.concat([Buffer.from(name), data]);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('cards in a PDF', () => {
  it('show each value of their columns on its own line, without a header', async () => {
    const text = await drawn('cards', [
      { title: 'f1', done: true, stars: 3, state: 'a' },
      { title: 'f2', done: false, stars: 99, state: 'other' },
    ]);
    const [first, second] = [text.indexOf('First card'), text.indexOf('Second card')];
    expect(text.slice(first, first + 4)).toEqual(['First card', '☑', '★★★', 'Active']);
    expect(text.slice(second, second + 4)).toEqual(['Second card', '☐', '★'.repeat(10), 'other']);
    expect(text).not.toContain('Title');
    expect(text).not.toContain('Stars');
  });

  it('link to their own targets', async () => {
    const target = (url: string) => ({ kind: 'url', url });
    const rows = [
      { title: 'f1', link: target('https://one.test/') },
      { title: 'f2', state: 'a' },
      { title: 'f1', link: target('https://three.test/') },
    ];
    const { urls } = await draw('cards', rows, { columns: ['title'], targetDefinition: 'link' });
    expect(urls).toEqual(['https://one.test/', 'https://three.test/']);
    expect((await draw('cards', rows, { columns: ['title'] })).urls).toEqual([]);
  });

  it('are omitted if they are empty, and have no line for an empty value', async () => {
    const text = await drawn('cards', [{}, { title: '', state: null }, { title: 'f2', state: 'a' }]);
    const second = text.indexOf('Second card');
    expect(text.slice(second, second + 2)).toEqual(['Second card', 'Active']);
  });
});

it('scales the cover of a card to the width of the card or a height of 110 points, without distortion', async () => {
  const sizeOf = async (width: number, height: number) => {
    const { raw } = await draw('cards', [{ files: ['fil_1'] }], { coverDefinition: 'files' }, async () =>
      grayPng(width, height),
    );
    const [, x, y] = /([\d.]+) 0 0 -?([\d.]+) [\d.]+ [\d.]+ cm\n\/\w+ Do/.exec(raw) ?? [];
    return { width: Number(x), height: Number(y) };
  };
  expect(await sizeOf(40, 20)).toEqual({ width: 30, height: 15 });
  expect(await sizeOf(200, 220)).toEqual({ width: 100, height: 110 });
  const wide = await sizeOf(2000, 100);
  expect(wide.width).toBeLessThan(600);
  expect(wide.width / wide.height).toBeCloseTo(20, 1);
});

describe('a grid in a PDF', () => {
  it('has a header unless its view hides it', async () => {
    const rows = [{ title: 'f1', state: 'a' }];
    expect(await drawn('grid', rows)).toEqual(expect.arrayContaining(['Title', 'State', 'Active']));
    const text = await drawn('grid', rows, { hideHeader: true });
    expect(text).toContain('Active');
    expect(text).not.toContain('Title');
  });

  it('shows the path or URL of a file that the space does not have', async () => {
    expect(await drawn('grid', [{ files: ['https://x.test/a.png'] }])).toContain('https://x.test/a.png');
    expect(await drawn('grid', [{ files: ['images/a.png'] }])).toContain('images/a.png');
  });

  const words = 'These are many words for one cell of a table that is as wide as the sheet';
  const tables = async (html: string) => {
    const { nodes } = markdownToRead(html);
    return (await rendered(book([page('a', [...nodes])]))).pages.join('\n').split('\n');
  };

  it('draws the text of a cell that spans columns once, on one line', async () => {
    const rows = (attribute: string, more: string) =>
      `<table><tbody><tr><td${attribute}>${words}</td>${more}</tr><tr>${'<td>Some more words</td>'.repeat(5)}</tr></tbody></table>`;
    const merged = await tables(rows(' colspan="5"', ''));
    expect(merged.filter((line) => line === words)).toHaveLength(1);
    expect(await tables(rows('', '<td></td>'.repeat(4)))).not.toContain(words);
  });

  it('breaks only the words of its widest columns if the sheet is too narrow', async () => {
    const stores =
      'Sqlite Redis DynamoDB Snowflake Datastore Postgres Hbase [Cassandra Milvus ScyllaDB'.split(' ');
    const table = (title: string) =>
      `| ${[title, ...stores].join(' | ')} |\n${'|---'.repeat(11)}|\n| infrastructure${' | yes'.repeat(10)} |\n`;
    expect(await tables(table('Feature'))).toEqual(
      expect.arrayContaining(['Feature', 'infrastructure', ...stores]),
    );
    expect(await tables(table(`Feature${'x'.repeat(90)}`))).toEqual(
      expect.arrayContaining(['Sqlite', 'Redis', 'Hbase', 'Milvus']),
    );
  });

  it('aligns the texts of a column to the left, center or right', async () => {
    /** The sum of the positions at which the texts start. Only those of the second column move. */
    const placeOf = async (alignment: string) => {
      const { nodes } = markdownToRead(`| A | Much longer words |\n|---|${alignment}|\n| b | x |\n`);
      const { raw } = await rendered(book([page('a', [...nodes])]));
      return [...raw.matchAll(/1 0 0 1 ([\d.]+) [\d.]+ Tm/g)].reduce((sum, [, x]) => sum + Number(x), 0);
    };
    const [left, middle, right] = await Promise.all([placeOf('---'), placeOf(':-:'), placeOf('--:')]);
    expect(left).toBeLessThan(middle);
    expect(middle).toBeLessThan(right);
  });

  it.each([
    ['words that need most of its width', 'Words in one line'.repeat(2)],
    ['a long text', 'Words that need more than one line. '.repeat(9)],
  ])('is as wide as a divider if it has %s', async (_name, cell) => {
    const { nodes } = markdownToRead(`| Head | More |\n| --- | --- |\n| ${cell} | ${cell} |\n\n---\n`);
    const { raw } = await rendered(book([page('a', [...nodes])]));
    const lines = [...raw.matchAll(/([\d.]+) [\d.]+ m\n([\d.]+) [\d.]+ l\n/g)];
    const [head, row, divider] = lines.slice(-3).map(([, from, to]) => [Number(from), Number(to)]);
    expect([head, row]).toEqual([divider, divider]);
  });

  it('draws the text of a cell that spans rows once, next to the other cells', async () => {
    const text = await tables(
      '<table><tbody><tr><td rowspan="2" colspan="2">both</td><td>first</td></tr><tr><td>second</td></tr><tr><td>a</td><td>b</td><td>c</td></tr></tbody></table>',
    );
    expect(
      ['both', 'first', 'second', 'a', 'b', 'c'].map((word) => text.filter((line) => line === word).length),
    ).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('draws no line through cells that span rows', async () => {
    const linesOf = async (rows: string) => {
      const { nodes } = markdownToRead(`<table><tbody>${rows}</tbody></table>`);
      const { raw } = await rendered(book([page('a', [...nodes])]));
      return raw.match(/^S$/gm)?.length;
    };
    const [one, both] = ['<tr><td>a</td><td>b</td></tr>', '<tr><td>c</td><td>d</td></tr>'];
    const merged = '<tr><td rowspan="2">a</td><td rowspan="2">b</td></tr><tr></tr>';
    expect(await linesOf(merged)).toBe(await linesOf(one));
    expect(await linesOf(merged + both)).toBe(await linesOf(one + both));
  });

  it('draws the rows of a nested table as lines', async () => {
    const text = await tables(
      '<table><tbody><tr><td>out</td><td><table><thead><tr><th>Head</th><th>Line</th></tr></thead><tbody><tr><td>in</td><td>side</td></tr></tbody></table></td></tr></tbody></table>',
    );
    expect(text.slice(text.indexOf('out')).map((run) => run.trim())).toEqual([
      'out',
      'Head',
      '|',
      'Line',
      'in',
      '|',
      'side',
    ]);
  });

  it.each([
    ['left', 0],
    ['center', 0.5],
    ['right', 1],
  ])('aligns the texts of a column to the %s', async (textAlignment, shift) => {
    const texts = ['7', '77', 'the widest of the cells'];
    const node = block(
      'table',
      [],
      {
        view: { type: 'grid', columns: ['a'], hideHeader: true },
        definition: { a: { id: 'a', type: 'text', textAlignment } },
        records: Object.fromEntries(
          texts.map((_, at) => [`r${at}`, { orderIndex: String(at), values: { a: `f${at}` } }]),
        ),
      },
      texts.map((text, at) => fragment(`f${at}`, [paragraph(text)])),
    );
    const { raw } = await rendered(book([page('a', [node])]));
    const numbers = (pattern: RegExp) => [...raw.matchAll(pattern)].map(([, x]) => Number(x)).slice(-3);
    const [one = 0, two = 0] = numbers(/1 0 0 1 ([\d.]+) [\d.]+ Tm/g);
    const [start = 0] = numbers(/([\d.]+) [\d.]+ m\n/g);
    const [end = 0] = numbers(/([\d.]+) [\d.]+ l\n/g);
    const padding = 6;
    // Both consist of digits, which have the same width.
    const width = 5.34375;
    const room = end - start - 2 * padding;
    expect(room).toBeGreaterThan(80);
    expect(one).toBeCloseTo(start + padding + shift * (room - width), 1);
    expect(two).toBeCloseTo(start + padding + shift * (room - 2 * width), 1);
  });
});
