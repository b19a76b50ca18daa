import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, tsvCell } from '../../../src/cli/output/rows.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { listing, printedList, printedOne } from './printer.ts';

/** A minimal parser for RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push(row.splice(0));
  }
  return rows;
}

const cell = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\r', '\n', '\t', ' ', ';', '=', '-', '語', '\\'),
});
const undone = (value: string) => value.replace(/^'(?=[=+\-@\t\r\n])/, '');

describe('-o csv', () => {
  it('prints the columns with a header and CRLF', async () => {
    expect(await printedList('csv', [listing], { columns: ['id,title,comments,permissions,parent'] })).toBe(
      'id,title,comments,permissions,parent\r\nspc_1,Guides,3,"{""admin"":true}",\r\nspc_2,日本語,12,"{""admin"":false}",col_1\r\n',
    );
  });

  it('ends lines with LF on a terminal', async () => {
    expect(await printedList('csv', [listing], { terminal: fakeTerminal({ tty: true }) })).toBe(
      'id,title\nspc_1,Guides\nspc_2,日本語\n',
    );
  });

  it('can be parsed back, except for escaped formulas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
        const items = rows.map(([a, b]) => ({ a, b }));
        const [header, ...read] = parseCsv(await printedList('csv', [{ items }], { columns: ['a', 'b'] }));
        expect(header).toEqual(['a', 'b']);
        expect(read.map((row) => row.map(undone))).toEqual(rows.map((row) => row.map(undone)));
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['＝1', "'＝1"],
    [-1, '-1'],
    [true, 'true'],
    ['a=1', 'a=1'],
  ])('writes %j as %s', (value, written) => expect(csvCell(value)).toBe(written));

  it('writes one header for many pages, none with --no-headers, and one if there are no items', async () => {
    const pages = [{ items: [] }, { items: [{ id: 'a', title: 'A' }] }, { items: [{ id: 'b', title: 'B' }] }];
    expect(await printedList('csv', pages)).toBe('id,title\r\na,A\r\nb,B\r\n');
    expect(await printedList('csv', pages, { headers: false })).toBe('a,A\r\nb,B\r\n');
    expect(await printedList('csv', [{ items: [] }])).toBe('id,title\r\n');
  });
});

describe('-o tsv', () => {
  it('prints the columns, with the given names', async () => {
    expect(
      await printedList('tsv', [listing], { columns: ['id=Space', 'permissions.admin=Admin', 'parent'] }),
    ).toBe('Space\tAdmin\tparent\nspc_1\ttrue\t\nspc_2\tfalse\tcol_1\n');
  });

  it('can be parsed back exactly', () => {
    const back: Record<string, string> = { '\\': '\\', t: '\t', n: '\n', r: '\r' };
    fc.assert(
      fc.property(cell, (value) => {
        const written = tsvCell(value);
        expect(written).not.toMatch(/[\t\n\r]/);
        expect(written.replace(/\\(.)/g, (_, letter: string) => back[letter]!)).toBe(value);
      }),
    );
  });

  it('prints an object as one row, and a scalar unchanged', async () => {
    expect(await printedOne('tsv', { id: 'a', title: 'A', object: 'x' })).toBe('id\ttitle\na\tA\n');
    expect(await printedOne('tsv', 'two\nlines')).toBe('two\nlines\n');
  });
});

describe('-o id', () => {
  it.each([
    [{ id: 'a', slug: 's' }, 'a'],
    [{ issue: { id: 'i' }, name: 'n' }, 'i'],
    [{ team: { id: 't' }, member: { role: 'owner' } }, 't'],
    [{ organization: { id: 'o' }, user: { id: 'u' }, token: 'x' }, 'o'],
    [{ userId: 'u', name: 'n' }, 'u'],
    [{ slug: 's', createdBy: { id: 'u' } }, 's'],
    ['just text', 'just text'],
  ])('prints the ID of %j as %s', async (value, id) => expect(await printedOne('id', value)).toBe(`${id}\n`));

  it('prints a line for each item, of the given ID field', async () => {
    expect(await printedList('id', [listing, { items: [{ id: 'c' }] }])).toBe('spc_1\nspc_2\nc\n');
    expect(await printedOne('id', { id: 'a', number: 7 }, { idField: 'number' })).toBe('7\n');
  });

  it('skips rows without an ID, such as failed ones', async () => {
    const items = [{ id: 'a' }, { source: '/x', error: 'no' }, { id: 'b' }];
    expect(await printedList('id', [{ items }])).toBe('a\nb\n');
    await expect(printedList('id', [{ items: [{ source: '/x' }] }])).rejects.toMatchObject({
      reason: 'usage',
    });
    expect(await printedList('id', [{ items: [] }])).toBe('');
  });

  it('refuses a result without an ID', async () => {
    await expect(printedOne('id', { title: 'x' })).rejects.toMatchObject({
      reason: 'usage',
      message: 'The result has no id to print.',
    });
  });
});

describe('-o none', () => {
  it('prints nothing', async () => {
    expect((await printedList('none', [listing])) + (await printedOne('none', { id: 'a' }))).toBe('');
  });
});
