import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import type { SourceRecord, InputFormat } from '../../src/ingest/source-record.ts';
import { readCsv } from '../../src/ingest/read-csv.ts';
import { readRecords } from '../../src/ingest/read-records.ts';
import { readLines } from '../../src/ingest/read-lines.ts';
import type { SourceStream } from '../../src/ingest/source-stream.ts';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(groups: AsyncIterable<SourceRecord[]>): Promise<SourceRecord[]> {
  const entries: SourceRecord[] = [];
  for await (const group of groups) entries.push(...group);
  return entries;
}

/** Reads a text in chunks of the given size. */
const read = (text: string | Buffer, format?: InputFormat, size = 65_536) =>
  all(
    readRecords(
      { chunks: chunksOf(Buffer.from(text), size), start: { bytes: 0, line: 0 } } as unknown as SourceStream,
      { file: 'f', format, onColumns: () => {} },
    ),
  );
const values = async (...given: Parameters<typeof read>) => (await read(...given)).map(({ value }) => value);
const refused = async (...given: Parameters<typeof read>): Promise<string> => {
  const error = await read(...given).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return (error as Problem).message;
};
const sizes = fc.integer({ min: 1, max: 40 });
const records = fc.array(
  fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  { maxLength: 12 },
);

describe('reading NDJSON', () => {
  it('returns each line with its number and end, for chunks of any size', () =>
    fc.assert(
      fc.asyncProperty(records, sizes, fc.boolean(), async (given, size, ends) => {
        const lines = given.map((one) => JSON.stringify(one));
        const text = `${lines.join('\n')}${ends ? '\n' : ''}`;
        const entries = await read(text, 'ndjson', size);
        expect(entries.map(({ value }) => value)).toEqual(lines.map((line) => JSON.parse(line) as unknown));
        // A reader that starts at any end returns the rest.
        for (const { end, line } of entries) {
          const rest = await all(
            readLines(chunksOf(Buffer.from(text).subarray(end), size), { file: 'f', bytes: end, line }),
          );
          expect(rest).toEqual(entries.filter((entry) => entry.line > line));
        }
      }),
      { numRuns: 60 },
    ));

  it('reports what is wrong with a line, and continues', async () => {
    const entries = await read(
      Buffer.concat([
        Buffer.from('\ufeff{"a":1}\r\n\n{broken\n[1]\n"\ufffd"\n{"b":"'),
        Buffer.from([0xff]),
        Buffer.from('"}\n{"c":2}'),
      ]),
      'ndjson',
      7,
    );
    expect(entries.map(({ line, problem = '' }) => [line, problem.slice(0, 27)])).toEqual([
      [1, ''],
      [3, 'the line is not valid JSON:'],
      [4, 'the record is not an object'],
      [5, 'the record is not an object'],
      [6, 'the line is not UTF-8 text'],
      [7, ''],
    ]);
  });

  it('refuses UTF-16, which some shells write', async () => {
    expect(await refused(Buffer.from('\ufeff{"a":1}\n', 'utf16le'), 'ndjson')).toBe('f is not UTF-8 text.');
  });

  it('limits the length of lines and the depth of records', async () => {
    const text = `{"a":1}\n${'x'.repeat(9 << 20)}\n{"b":2}\n${'y'.repeat(5 << 20)}`;
    expect((await read(text, 'ndjson')).map(({ line, end, problem }) => [line, end, problem])).toEqual([
      [1, 8, undefined],
      [2, 9 + (9 << 20), 'the record has more than 4 MiB'],
      [3, 17 + (9 << 20), undefined],
      [4, text.length, 'the record has more than 4 MiB'],
    ]);
    expect((await read(`{"a":${'['.repeat(100_000)}\n`, 'ndjson'))[0]!.problem).toBe(
      'The JSON is nested more than 64 levels deep.',
    );
  });
});

describe('reading JSON', () => {
  it('returns the items of a list, for chunks of any size and with any fields around it', () =>
    fc.assert(
      fc.asyncProperty(
        records,
        sizes,
        fc.constantFrom('', 'conversations', 'items'),
        fc.boolean(),
        async (given, size, key, pretty) => {
          const space = pretty ? 2 : 0;
          const text =
            key === ''
              ? JSON.stringify(given, null, space)
              : JSON.stringify(
                  { before: [{ items: [1] }, '"]'], [key]: given, after: { a: [[]] } },
                  null,
                  space,
                );
          expect(await values(text, 'json', size)).toEqual(JSON.parse(JSON.stringify(given)));
        },
      ),
      { numRuns: 200 },
    ));

  it('finds the lists of other services', async () => {
    for (const key of ['tickets', 'results'])
      expect(await values(JSON.stringify({ count: 1, [key]: [{ id: 'a' }] }), 'json', 7)).toEqual([
        { id: 'a' },
      ]);
  });

  it('reads an object without such a list as one record', async () => {
    const one = { id: 'a', items: { b: 1 }, parts: [{ body: '[{"' }] };
    for (const size of [1, 7, 1000]) expect(await values(JSON.stringify(one), 'json', size)).toEqual([one]);
  });

  it('numbers the items that start on the same line', async () => {
    const numbers = async (text: string) => (await read(text, 'json', 4)).map(({ number }) => number);
    expect(await numbers('[{"a":1}, 2, 3]')).toEqual([1, 2, 3]);
    expect(await numbers('[\n{"a":1},\n2, 3]')).toEqual([undefined, undefined, 3]);
    expect(await numbers('{"id":"a"}')).toEqual([undefined]);
  });

  it('returns the line of each item', async () => {
    expect(
      (await read('\ufeff[\n  {"a": 1},\n\n  {"b":\n 2}, 3 ]\n', 'json', 3)).map(({ line, end, problem }) => [
        line,
        end,
        problem,
      ]),
    ).toEqual([
      [2, 15, undefined],
      [4, 29, undefined],
      [5, 32, 'the record is not an object'],
    ]);
  });

  it.each([
    ['', 'f is empty.'],
    ['[{"a":1}', 'f ends in the middle of a value (line 1).'],
    ['[{"a":1} {"b":2}]', 'f:1: this is not valid JSON (byte 10).'],
    ['[,]', 'f:1: this is not valid JSON (byte 2).'],
    ['[:1]', 'f:1: this is not valid JSON (byte 2).'],
    ['{"a"::1}', 'f:1: this is not valid JSON (byte 6).'],
    ['[] []', 'f:1: this is not valid JSON (byte 4).'],
    ['{"a" 1}', 'f:1: this is not valid JSON (byte 6).'],
    ['{a:1}', 'f:1: this is not valid JSON (byte 2).'],
    ['{"conversations":[1],"conversations":[2]}', 'f:1: "conversations" is a second list.'],
    ['{"conversations":[1],\n"items":[2]}', 'f:2: "items" is a second list.'],
    ['true', 'f:1: this is not valid JSON (byte 1).'],
    [`{"a":"${'x'.repeat(5 << 20)}"}`, 'f has more than 4 MiB before its list of conversations.'],
  ])('refuses case %#', async (text, message) => expect(await refused(text, 'json')).toBe(message));

  it('continues after an item that is too long', async () => {
    const text = `[{"a":1},\n["${'x'.repeat(9 << 20)}"],\n{"b":2}]`;
    expect((await read(text, 'json')).map(({ line, end, problem }) => [line, end, problem])).toEqual([
      [1, 8, undefined],
      [2, 14 + (9 << 20), 'the record has more than 4 MiB'],
      [3, 23 + (9 << 20), undefined],
    ]);
  });

  it('refuses text that is not UTF-8, even if a chunk ends inside a character', async () => {
    expect(await values('["äö€😀"]', 'json', 1)).toEqual(['äö€😀']);
    expect(await refused(Buffer.from('["\xe4"]', 'latin1'), 'json', 1)).toBe('f is not UTF-8 text.');
    expect(await refused(Buffer.from([0x5b, 0xe2, 0x82]), 'json')).toBe('f is not UTF-8 text.');
    expect(await refused(Buffer.from('\ufeff[]', 'utf16le'), 'json')).toBe('f is not UTF-8 text.');
  });
});

describe('reading CSV', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ä', '"', ',', ';', '\n', '\r\n', ' ', '€'),
    maxLength: 6,
  });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it('returns each row by the names of its columns, for chunks of any size', () =>
    fc.assert(
      fc.asyncProperty(
        // Rows without text are skipped.
        fc.array(
          fc.tuple(cell, cell, cell).filter((cells) => cells.some((text) => text !== '')),
          { maxLength: 8 },
        ),
        sizes,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (rows, size, mark, end, ends) => {
          const lines = [['id', 'the "name"', 'c'], ...rows].map((cells) => cells.map(quoted).join(mark));
          const text = `\ufeff${lines.join(end)}${ends ? end : ''}`;
          const entries = await read(text, 'csv', Math.max(size, 30));
          expect(entries.map(({ value }) => ({ ...(value as object) }))).toEqual(
            rows.map(([id, name, c]) => ({ id, 'the "name"': name, c })),
          );
          const [last] = entries.slice(-1);
          if (last !== undefined) expect(last.end).toBe(Buffer.byteLength(text));
        },
      ),
      { numRuns: 150 },
    ));

  it('reports rows with too many or too few cells, and continues', async () => {
    const entries = await read('id,b\n1,2\n3\n4,5,6\n\n"7\n8",9\n10,11', 'csv');
    expect(entries.map(({ line, problem, value }) => [line, problem ?? { ...(value as object) }])).toEqual([
      [2, { id: '1', b: '2' }],
      [3, 'the row has 1 cell, and there are 2 columns'],
      [4, 'the row has 3 cells, and there are 2 columns'],
      [6, { id: '7\n8', b: '9' }],
      [8, { id: '10', b: '11' }],
    ]);
  });

  it('returns the rows before a broken quote, and reports its line', async () => {
    const seen: SourceRecord[] = [];
    const reading = (async () => {
      for await (const group of readCsv(chunksOf(Buffer.from('id\n1\n2\n"3"x\n4\n'), 100), {
        file: 'f',
        delimiter: undefined,
        onColumns: () => {},
      }))
        seen.push(...group);
    })();
    await expect(reading).rejects.toThrow('f:4 has a quote in the wrong place.');
    expect(seen.map(({ value }) => (value as { id: string }).id)).toEqual(['1', '2']);
    expect(await refused('id\n"1\n2\n', 'csv')).toMatch(/^f:\d has a quote that is not closed\.$/);
  });

  it('ignores additions of spreadsheets: a separator line, empty trailing cells and empty rows', async () => {
    for (const start of ['', 'sep=;\r\n', '\ufeffsep=;\r\n'])
      expect(
        (await values(`${start}id;b;;\r\n1;2;;\r\n;;;\r\n"3,4,5";6\r\n`, 'csv')).map((value) =>
          Object.entries(value as object),
        ),
      ).toEqual([
        [
          ['id', '1'],
          ['b', '2'],
        ],
        [
          ['id', '3,4,5'],
          ['b', '6'],
        ],
      ]);
  });

  it('treats column names such as __proto__ as normal names', async () => {
    const [entry] = await read('__proto__,constructor\na,b\n', 'csv');
    expect(Object.getPrototypeOf(entry!.value)).toBeNull();
    expect(Object.entries(entry!.value as object)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it.each([
    [
      `${Array.from({ length: 1001 }, (_, index) => `c${index}`).join(',')}\n`,
      'f has 1001 columns; the limit is 1000.',
    ],
    [`a,b\n${','.repeat(5 << 20)}`, 'f has a row of more than 4 MiB, or a quote that is not closed.'],
    [`a,b\n"${'x'.repeat(5 << 20)}`, 'f has a row of more than 4 MiB, or a quote that is not closed.'],
  ])('refuses case %#', async (text, message) => expect(await refused(text, 'csv')).toBe(message));
});

describe('reading YAML', () => {
  it('returns documents, lists, and lists in a map', async () => {
    const text =
      '# first\nid: a\n--- # second\n- id: b\n- id: c\n---\nitems: [{ id: d }]\n--- { id: e }\n---\n---\nbody: |\n  --- no\n';
    for (const size of [1, 9, 1000]) {
      const entries = await read(text, 'yaml', size);
      expect(entries.map(({ line, value, hasMore }) => [line, value, hasMore])).toEqual([
        [1, { id: 'a' }, undefined],
        [3, { id: 'b' }, true],
        [3, { id: 'c' }, undefined],
        [7, { id: 'd' }, undefined],
        [8, { id: 'e' }, undefined],
        [11, { body: '--- no\n' }, undefined],
      ]);
      expect(entries.at(-1)!.end).toBe(Buffer.byteLength(text));
    }
  });

  it('returns the line of each item of a list, or its number', async () => {
    const places = async (text: string) =>
      (await read(text, 'yaml')).map(({ line, itemLine, number }) => [line, itemLine, number]);
    expect(await places('# list\n- id: a\n- 3\n\n-\n  id: b\n  body: |\n    x\n- [1]\n')).toEqual([
      [1, 2, undefined],
      [1, 3, undefined],
      [1, 6, undefined],
      [1, 9, undefined],
    ]);
    expect(await places('id: a\n--- # more\nitems:\n  - id: b\n  - 4\n--- [{ id: c }, 5]\n')).toEqual([
      [1, undefined, undefined],
      [2, 4, undefined],
      [2, 5, undefined],
      [6, 6, 1],
      [6, 6, 2],
    ]);
  });

  it('returns the column of an error behind the dashes of a document', async () => {
    expect(await refused('id: a\n--- { id: b, id: c }\n', 'yaml')).toBe(
      'f (document at line 2), line 1, column 14: the key "id" is used twice.',
    );
  });

  it('limits the depth, aliases and size of documents', async () => {
    expect(await refused(`a: ${'['.repeat(1000)}`, 'yaml')).toContain('nested more than 64 levels deep');
    expect(await refused(`a: &x [1]\nb: *x\n`, 'yaml')).toContain('anchors and aliases');
    expect(await refused(`a: |\n${`  ${'x'.repeat(1000)}\n`.repeat(5000)}`, 'yaml')).toBe(
      'f has a YAML document of more than 4 MiB (at line 1).',
    );
  });
});

describe('reading a file whose name does not tell the format', () => {
  it.each<[string, unknown[]]>([
    ['\n {"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['\ufeff[{"a":1}]', [{ a: 1 }]],
    ['a: 1\n', [{ a: 1 }]],
    ['---\n- a: 1\n', [{ a: 1 }]],
    ['# all of them\n# (one)\n\n- a: 1\n', [{ a: 1 }]],
    [`${`# ${'x'.repeat(600)}\n`.repeat(10)}- a: 1\n`, [{ a: 1 }]],
    ['', []],
  ])('detects the format: case %#', async (text, expected) => {
    for (const size of [1, 1000]) expect(await values(text, undefined, size)).toEqual(expected);
  });

  it('detects JSON within the first 65,536 characters', async () => {
    for (const size of [1000, 65_536, 100_000])
      expect(await values(`${' '.repeat(65_535)}[{"a":1}]`, undefined, size)).toEqual([{ a: 1 }]);
    expect(await values(`${' '.repeat(65_536)}[{"a":1}]`, undefined, 65_536)).not.toEqual([{ a: 1 }]);
  });

  it('reads no further than necessary before it returns the first record', async () => {
    const chunks = (async function* () {
      yield Buffer.from('{"a":1}\n');
      await new Promise(() => {});
    })();
    const stream = { chunks, start: { bytes: 0, line: 0 } } as unknown as SourceStream;
    const reading = readRecords(stream, { file: '-', format: undefined, onColumns: () => {} });
    expect((await reading.next()).value).toMatchObject([{ value: { a: 1 } }]);
  });

  it('asks for the format if it cannot be detected', async () => {
    expect(await refused('id,body\n1,2\n')).toBe('f was not recognized as NDJSON, JSON, YAML or CSV.');
  });
});
