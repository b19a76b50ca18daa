import { describe, expect, it } from 'vitest';
import { createQuery } from '../../../src/cli/output/query.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { first, listing, printedList, printedOne, second } from './printer.ts';

describe('--query', () => {
  it('is applied to the whole result, not to one page', async () => {
    const pages = [
      { next: { page: '2' }, count: 2, items: [{ id: 'a' }] },
      { count: 2, items: [{ id: 'b' }] },
    ];
    expect(await printedList('json', pages, { query: '[count, length(items), next]', all: true })).toBe(
      '[\n  2,\n  2,\n  null\n]\n',
    );
    expect(await printedList('id', pages, { query: 'items[-1].id', all: true })).toBe('b\n');
    expect(await printedList('json', [listing], { query: 'next.page' })).toBe('"abc"\n');
  });

  it('is printed in the requested format', async () => {
    const settings = { query: "items[?visibility=='public']" };
    expect(await printedList('csv', [listing], settings)).toBe('id,title\r\nspc_1,Guides\r\n');
    expect(await printedList('ndjson', [listing], settings)).toBe(`${JSON.stringify(first)}\n`);
    expect(await printedList('table', [listing], { query: 'items[].{id: id, n: comments}' })).toBe(
      'id\tn\nspc_1\t3\nspc_2\t12\n',
    );
    expect(await printedList('tsv', [listing], { query: 'items[].[id, comments]' })).toBe(
      'spc_1\t3\nspc_2\t12\n',
    );
    expect(await printedList('table', [listing], { query: 'items[].title' })).toBe('Guides\n日本語\n');
    expect(await printedList('table', [listing], { query: 'count' })).toBe('7\n');
    expect(await printedOne('tsv', second, { query: 'permissions.admin' })).toBe('false\n');
    expect(await printedOne('json', first, { query: 'nothing' })).toBe('null\n');
  });

  it('prints a note on a terminal if nothing matches', async () => {
    const terminal = fakeTerminal({ tty: true });
    await printedList('table', [listing], { query: 'items[?id==`1`]', terminal, noun: 'spaces' });
    expect(terminal.stderr.text).toBe('No spaces.\n');
  });

  it.each([
    ['items[].', 'it ends too early at position 9'],
    ['items[?a.].title', 'something is missing at position 10'],
    ['items[].{a: b.}', 'something is missing at position 15'],
  ])('refuses %j, because a name is missing', (expression, what) => {
    expect(() => createQuery(expression)).toThrow(`--query is not a JMESPath expression: ${what}.`);
  });

  it.each(['&items', '[&items]', '{a: &items}', 'items[?&a]', 'a || &items'])(
    'refuses %j, because it has no value',
    (expression) => {
      expect(() => createQuery(expression)).toThrow(
        expect.objectContaining({
          reason: 'invalid-input',
          message: '--query has an "&" outside of a function.',
        }),
      );
    },
  );

  it('accepts an expression as an argument, and data that looks like one', () => {
    expect(createQuery('sort_by(items, &id)[].id')({ items: [{ id: 'b' }, { id: 'a' }] })).toEqual([
      'a',
      'b',
    ]);
    const literal = { type: 'ExpressionReference' };
    expect(createQuery(`\`${JSON.stringify(literal)}\``)({})).toEqual(literal);
  });

  it.each([
    ['a.b]', 4],
    ['a b', 3],
    ['items[?x', 6],
    ['a #', 3],
    ['{a:}', 4],
    ['', 1],
    ['items[].{id:id,,}', 16],
    ['a[', 2],
  ])('refuses %j at position %d', (expression, position) => {
    expect(() => createQuery(expression)).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        message: expect.stringMatching(
          new RegExp(
            `^--query is not a JMESPath expression: .+ at position ${position}( is never closed)?\\.$`,
          ),
        ),
      }),
    );
  });

  it.each(['__proto__', 'constructor(@)', 'items[0]."toString"', '{valueOf: count}'])(
    'refuses the built-in name %s',
    (expression) => {
      expect(() => createQuery(expression)).toThrow(
        expect.objectContaining({
          reason: 'invalid-input',
          message: expect.stringMatching(/^--query cannot use the name "\w+"\.$/),
        }),
      );
    },
  );

  it('refuses to print a result that grows exponentially', () => {
    const query = createQuery(Array.from({ length: 100 }, () => '[@,@]').join('|'));
    expect(() => query(listing)).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        message: expect.stringContaining('result is too large'),
      }),
    );
  });

  it.each([
    ['sort_by(@, &a)', 'neither all texts nor all numbers'],
    ['not_null()', 'at least 1 argument'],
    [Array.from({ length: 8 }, () => '[@,@,@,@,@,@,@,@,@][]').join('|'), 'result is too large'],
  ])('explains why %s cannot be applied to its arguments', (expression, reason) => {
    expect(() => createQuery(expression)([{ a: {} }, { a: [] }])).toThrow(reason);
  });

  it.each(['nofn(@)', 'length(`1`)', 'a..b', 'a[::0]'])(
    'refuses %s without an internal error',
    (expression) => {
      const run = () => createQuery(expression)({ a: [{ b: 1 }] });
      expect(run).toThrow(
        expect.objectContaining({ reason: 'invalid-input', message: expect.stringMatching(/^--query /) }),
      );
      expect(run).not.toThrow(/undefined|TypeError/);
    },
  );

  it.each([
    [`items[?visibility="public"]`, 'a single "=" at position 18', "Write == to compare: title=='Guide'."],
    [`items[?title=Guide]`, 'a single "=" at position 13', 'Write == to compare'],
    [
      `items[?title=='Guide'`,
      'the "[" at position 6 is never closed.',
      "items[?title=='Guide' ⟵ The error is here. Example: --query",
    ],
    [`items[?title=='Guide]`, "the quote ' at position 15 is never closed", undefined],
    [`items[?contains(title,'G')`, 'the "[" at position 6 is never closed', undefined],
    ['items[].title,id', '"," at position 14', 'items[].[title, id]'],
    ['items[].{title}', 'a name without a value at position 15', 'items[].{title: title}'],
    [`items[].{'a': id}`, `"'", where a name is expected`, 'without single quotes'],
    [`items[?a=='b' and c=='d']`, 'the word "and" at position 15', '&& for and'],
    ['items[?count>1]', 'the number 1 at position 14', 'between backticks'],
    [`items[title=='x']`, '"title" at position 7', 'A filter begins with "[?"'],
    ['.items', '"." at position 1', 'A query begins with a field'],
    ['$.items', '"$" at position 1', 'A query begins with a field'],
    ['items[0].title id', '"id" is not expected at position 16', undefined],
  ])('explains the mistake in %s, and how to correct it', (expression, what, next) => {
    const run = () => createQuery(expression);
    expect(run).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(what),
        hint: expect.stringContaining(next ?? "items[?visibility=='public']"),
      }),
    );
    expect(run).not.toThrow(/token|Literal|Rbrace|EOF|Dot/i);
  });

  it.each([
    [
      'length(item)',
      'argument 1 of length() is nothing, and must be a text, a list or an object',
      'No field',
    ],
    [
      'sort(items)',
      'argument 1 of sort() is a list, and must be a list of texts or a list of numbers',
      '-o json',
    ],
    ['lenght(items)', 'there is no function lenght()', 'Did you mean length()?'],
    ['xyzzyx(items)', 'there is no function xyzzyx()', 'Functions: abs, '],
  ])('explains why %s cannot be applied, with a hint', (expression, what, next) => {
    expect(() => createQuery(expression)({ items: [{}] })).toThrow(
      expect.objectContaining({
        message: `--query cannot be applied to this result: ${what}.`,
        hint: expect.stringContaining(next),
      }),
    );
  });

  it('refuses a query that is too long before it is parsed', () => {
    expect(() => createQuery('['.repeat(100_000))).toThrow(/longer than/);
    expect(createQuery('a'.repeat(1024))({})).toBeNull();
    expect(() => createQuery('a'.repeat(1025))).toThrow('--query is longer than 1024 characters.');
    for (const deep of ['[', '(', '!', '{a:'])
      expect(() => createQuery(deep.repeat(1024 / deep.length))).toThrow(
        /ends too early at position|is never closed/,
      );
  });
});

describe('--sort-by', () => {
  const items = [
    { id: 'a', n: 10, t: 'b' },
    { id: 'b', n: 9, t: 'A' },
    { id: 'c' },
    { id: 'd', n: 9, t: null },
    { id: 'e', n: -1, t: 'ä' },
  ];
  const ids = async (sortBy: string) =>
    (
      await printedList('id', [{ items: items.slice(0, 2) }, { items: items.slice(2) }], {
        sortBy,
        all: true,
      })
    )
      .trim()
      .split('\n')
      .join('');

  it('sorts all pages: numbers as numbers, stable, with missing values last in both orders', async () => {
    expect(await ids('n')).toBe('ebdac');
    expect(await ids('-n')).toBe('abdec');
    expect(await ids('t')).toBe('beacd');
    expect(await ids('-t')).toBe('aebcd');
  });

  it('keeps the other fields of the response', async () => {
    expect(JSON.parse(await printedList('json', [listing], { sortBy: '-comments' }))).toEqual({
      ...listing,
      items: [second, first],
    });
    expect(JSON.parse(await printedList('json', [listing], { sortBy: '-comments', all: true }))).toEqual({
      items: [second, first],
      count: 2,
    });
  });

  it('is applied before the query', async () => {
    expect(await printedList('tsv', [listing], { sortBy: '-comments', query: 'items[0].id' })).toBe(
      'spc_2\n',
    );
  });

  it('refuses a field that no item has', async () => {
    await expect(ids('titel')).rejects.toMatchObject({
      reason: 'invalid-input',
      message: 'There is no field to sort by "titel".',
    });
    await expect(ids('-')).rejects.toMatchObject({ reason: 'invalid-input' });
  });
});
