import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fakeTerminal } from './fake-terminal.ts';
import { listing, printedList, printedOne } from './printer.ts';

const item = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const pagesOf = fc.array(fc.array(item, { maxLength: 4 }), { minLength: 1, maxLength: 4 });

describe('-o json', () => {
  it('prints the response of the API', async () => {
    expect(await printedList('json', [listing])).toBe(`${JSON.stringify(listing, null, 2)}\n`);
    expect(await printedOne('json', { id: 'a', n: null })).toBe('{\n  "id": "a",\n  "n": null\n}\n');
    expect(await printedOne('json', undefined)).toBe('');
  });

  it('merges the pages of --all into one document', async () => {
    await fc.assert(
      fc.asyncProperty(pagesOf, async (pages) => {
        const items = pages.flat();
        const text = await printedList(
          'json',
          pages.map((some, index) => ({ next: { page: `${index}` }, count: 99, items: some })),
          { all: true },
        );
        expect(text).toBe(`${JSON.stringify({ items, count: items.length }, null, 2)}\n`);
      }),
    );
  });

  it('keeps other fields of a list', async () => {
    const page = { count: 1, total: { open: 2 }, none: undefined, items: [{ id: 'a' }] };
    expect(JSON.parse(await printedList('json', [page], { all: true }))).toEqual({
      total: { open: 2 },
      items: [{ id: 'a' }],
      count: 1,
    });
  });

  it('writes each page as it arrives', async () => {
    const { createPrinter } = await import('../../../src/cli/output/printer.ts');
    const terminal = fakeTerminal();
    const printer = await createPrinter('json', { terminal, defaultColumns: [], headers: true, all: true });
    await printer.page({ items: [{ id: 'a' }] });
    expect(terminal.stdout.text).toContain('"id": "a"');
  });

  it('escapes control characters on a terminal as valid JSON', async () => {
    const text = await printedOne(
      'json',
      { t: 'a\u009b\u202e\u001b' },
      { terminal: fakeTerminal({ tty: true }) },
    );
    expect(text).toBe('{\n  "t": "a\\u009b\\u202e\\u001b"\n}\n');
    expect(await printedOne('json', { t: '\u202e' })).toContain('\u202e');
  });
});

describe('-o ndjson', () => {
  it('prints one item on each line, which can be parsed back', async () => {
    await fc.assert(
      fc.asyncProperty(pagesOf, async (pages) => {
        const text = await printedList(
          'ndjson',
          pages.map((items) => ({ items })),
          { all: true },
        );
        expect(
          text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(JSON.parse(JSON.stringify(pages.flat())));
      }),
    );
  });

  it('prints an object as one line, and nothing for an empty result', async () => {
    expect(await printedOne('ndjson', { a: [1] })).toBe('{"a":[1]}\n');
    expect(await printedOne('ndjson', undefined)).toBe('');
  });
});

describe('-o yaml', () => {
  it('prints the response of the API', async () => {
    expect(await printedOne('yaml', { id: 'a', tags: ['x'], n: null })).toBe(
      'id: a\ntags:\n  - x\nn: null\n',
    );
    expect(parse(await printedList('yaml', [listing]))).toEqual(listing);
  });

  it('merges the pages of --all into one document', async () => {
    await fc.assert(
      fc.asyncProperty(pagesOf, async (pages) => {
        const items = pages.flat();
        const text = await printedList(
          'yaml',
          pages.map((some) => ({ total: 5, items: some })),
          { all: true },
        );
        expect(parse(text, { uniqueKeys: false })).toEqual(
          JSON.parse(JSON.stringify({ total: 5, items, count: items.length })),
        );
      }),
    );
  });

  it('has the same value on a terminal, where it is escaped', async () => {
    const odd = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        '\u001b',
        '\u0085',
        '\u202e',
        '"',
        '\\',
        '👩',
        '\u200d',
        '\ufe0f',
        '#',
        ':',
      ),
    });
    await fc.assert(
      fc.asyncProperty(odd, odd, async (key, value) => {
        const text = await printedOne('yaml', { [key]: value }, { terminal: fakeTerminal({ tty: true }) });
        expect(text).not.toMatch(/[\u001b\u0085\u202e]/);
        expect(parse(text)).toEqual({ [key]: value });
      }),
    );
  });

  it('throws if the output cannot be written', async () => {
    const terminal = fakeTerminal();
    terminal.stdout.flush = () => Promise.reject(new Error('no space'));
    await expect(printedOne('yaml', { id: 'a' }, { terminal })).rejects.toThrow('no space');
  });

  it('separates several results as documents', async () => {
    const { createPrinter } = await import('../../../src/cli/output/printer.ts');
    const terminal = fakeTerminal();
    const printer = await createPrinter('yaml', { terminal, defaultColumns: [], headers: true });
    await printer.one({ id: 'a' });
    await printer.one({ id: 'b' });
    expect(parseAllDocuments(terminal.stdout.text).map((document) => document.toJS())).toEqual([
      { id: 'a' },
      { id: 'b' },
    ]);
  });
});
