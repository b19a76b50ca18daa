import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { first, listing, printedList, printedOne } from './printer.ts';

const screen = (columns = 80, color = false) => fakeTerminal({ tty: true, columns, color });

it('a narrow table of clusters hides the pulse, and keeps the number of issues', async () => {
  const cluster = {
    label: 'Card declined: the payment of an order',
    impact: 'medium',
    stats: { issues: 61 },
    share: '██████',
    pulse: '▁▁▁▁▁▁▁▁▁▁▁▁█ to 2026-04',
    latest: '2026-01-01',
    muted: false,
    id: 'clu_01M8JQX1RCNMMDV44813T35EQQ',
  };
  const text = await printedList(
    'table',
    [
      {
        items: [
          cluster,
          {
            ...cluster,
            label: 'Refund',
            impact: 'low',
            stats: { issues: 4 },
            share: '█',
            pulse: 'quiet',
            latest: '2025-01-01',
            muted: true,
            id: 'clu_01M8JQX1RCNMMDV44813T35EQR',
          },
        ],
      },
    ],
    {
      defaultColumns: ['label', 'impact', 'stats.issues=issues', 'share', 'pulse', 'latest', 'muted', 'id'],
      terminal: screen(),
    },
  );
  expect(text.split('\n')[0]).toMatch(/^label .* issues .* id$/);
});

describe('a table in a pipe', () => {
  it('is tab-separated, not shortened and without color', async () => {
    const columns = ['id', 'title', 'comments', 'permissions', 'createdAt', 'parent'];
    expect(
      await printedList('table', [listing], {
        columns,
        terminal: fakeTerminal({ color: true, columns: 10 }),
      }),
    ).toBe(
      'id\ttitle\tcomments\tpermissions\tcreatedAt\tparent\nspc_1\tGuides\t3\t{"admin":true}\t2024-05-01T12:30:45.000Z\t-\nspc_2\t日本語\t12\t{"admin":false}\t2024-06-01T00:00:00.000Z\tcol_1\n',
    );
  });

  it('has one line for each item, with any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), async (titles) => {
        const text = await printedList('table', [{ items: titles.map((title) => ({ id: 'x', title })) }], {
          headers: false,
        });
        expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(titles.length + 1);
        expect(text.split('\t')).toHaveLength(titles.length + 1);
      }),
    );
  });

  it('shows an object as one name and value per line, without empty standard fields', async () => {
    expect(await printedOne('table', { object: 'space', id: 'a', urls: {}, permissions: {} })).toBe(
      'id\ta\n',
    );
    expect(await printedOne('table', { id: 'a', ok: true, none: null, tags: ['x'] })).toBe(
      'id\ta\nok\ttrue\nnone\t-\ntags\tx\n',
    );
    expect(await printedOne('table', first, { columns: ['permissions.admin=Admin', 'id'] })).toBe(
      'Admin\ttrue\nid\tspc_1\n',
    );
  });

  it('lists at most 10 errors of a result, and counts the others', async () => {
    const errors = Array.from({ length: 11 }, (_, index) => ({ message: `no ${index}`, code: 'E' }));
    const ten = errors.slice(0, 10).map(({ message }) => `errors\tE: ${message}\n`);
    expect(await printedOne('table', { errors: errors.slice(0, 10) })).toBe(ten.join(''));
    expect(await printedOne('table', { errors })).toBe(`${ten.join('')}errors\t1 more (all with -o json)\n`);
  });
});

describe('a table on a terminal', () => {
  it('has a header, a rule and aligned columns', async () => {
    const columns = ['id', 'title', 'comments', 'permissions.admin=admin', 'createdAt', 'parent'];
    expect(await printedList('table', [listing], { columns, terminal: screen() })).toBe(
      [
        'id     title   comments  admin  createdAt          parent',
        '─────  ──────  ────────  ─────  ─────────────────  ──────',
        'spc_1  Guides         3  ✓      2024-05-01 12:30Z  -',
        'spc_2  日本語        12  ✗      2024-06-01 00:00Z  col_1',
        '',
      ].join('\n'),
    );
  });

  it('shortens IDs before titles', async () => {
    const items = [
      { id: '01HXABCDEFGHJKMNPQRSTVWXYZ', title: 'A title that is much too long for this', note: 'short' },
    ];
    expect(
      await printedList('table', [{ items }], {
        columns: ['id,title,note'],
        headers: false,
        terminal: screen(50),
      }),
    ).toBe('…TVWXYZ  A title that is much too long for…  short\n');
  });

  it('shortens paths at the front, and names hidden columns that have the same value in all rows', async () => {
    const page = (name: string) => ({
      path: `getting-started/containers/docker-compose/${name}`,
      title: `How to run ${name}`,
      type: 'document',
    });
    const terminal = fakeTerminal({ tty: true, columns: 60 });
    expect(
      await printedList('table', [{ items: [page('persistent-database'), page('traefik')] }], {
        defaultColumns: ['path', 'title', 'type'],
        terminal,
      }),
    ).toBe(
      [
        'path                          title',
        '────────────────────────────  ──────────────────────────────',
        '…/persistent-database         How to run persistent-database',
        '…/docker-compose/traefik      How to run traefik',
        '',
      ].join('\n'),
    );
    expect(terminal.stderr.text).toBe('1 column hidden (type: document). --wide shows all.\n');
  });

  it('escapes the names of hidden columns', async () => {
    const hostile = 'kind\u009b\u202e';
    const page = (name: string) => ({
      path: `getting-started/containers/docker-compose/${name}`,
      title: `How to run ${name}`,
      [hostile]: 'document',
    });
    const terminal = fakeTerminal({ tty: true, columns: 60 });
    await printedList('table', [{ items: [page('persistent-database'), page('traefik')] }], {
      defaultColumns: ['path', 'title', hostile],
      terminal,
    });
    expect(terminal.stderr.text).toContain('1 column hidden (kind\\u009b\\u202e: document).');
  });

  it('shows the time of an event without the year if it is the current year', async () => {
    const items = [{ occurredAt: '2026-11-28T06:10:00.000Z', action: 'spaces.create', note: 'x'.repeat(40) }];
    const options = {
      defaultColumns: ['occurredAt', 'action', 'note'],
      terminal: screen(60),
      headers: false,
    };
    const now = Date.UTC(2026, 10, 29);
    expect(await printedList('table', [{ items }], { ...options, terminal: screen(60), now })).toMatch(
      /^11-28 06:10Z  spaces.create  x/,
    );
    expect(
      await printedList('table', [{ items }], {
        ...options,
        terminal: screen(60),
        now: Date.UTC(2027, 0, 1),
      }),
    ).toMatch(/^2026-11-28 06:10Z  spaces.create  x/);
  });

  it('never exceeds the width of the terminal', async () => {
    const word = fc.string({
      unit: fc.oneof(
        fc.constantFrom('語', '👨‍👩‍👧', '\u001b', '\n', 'x'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: word, title: word, note: word }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 24, max: 90 }),
        async (items, width) => {
          const text = await printedList('table', [{ items }], {
            columns: ['id,title,note'],
            terminal: screen(width),
          });
          for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(text.split('\n')).toHaveLength(items.length + 3);
        },
      ),
    );
  });

  it('uses color for the header only if it is enabled, and escapes colors in texts', async () => {
    const items = [{ id: 'a', title: '\u001b[31m' }];
    const text = await printedList('table', [{ items }], { terminal: screen(80, true) });
    expect(text.split('\n')[0]).toBe('\u001b[1mid  title\u001b[22m');
    expect(text.split('\n')[2]).toBe('a   \\u001b[31m');
  });

  it('keeps the end of a file path, with the line number', async () => {
    const place = 'docs/how-to-guides/feast-operator/02-persistence.md:';
    const items = [199, 200].map((line) => ({
      status: 'broken',
      place: `${place}${line}`,
      href: `../reference/online-stores/hazelcast-${line}.md`,
      problem: 'no page or file has this address',
    }));
    const text = await printedList('table', [{ items }], { terminal: screen() });
    expect(text).toContain('/02-persistence.md:199  ');
    expect(text).toContain('/02-persistence.md:200  ');
  });

  it('widens columns for later pages instead of shortening texts, and never narrows them', async () => {
    const page = (title: string, count: number) => ({
      items: Array.from({ length: count }, () => ({ id: 'a', title, n: 1 })),
    });
    const lines = (
      await printedList('table', [page('short', 1000), page('longer than it', 1000), page('b', 1)], {
        terminal: screen(),
        columns: ['id,title,n'],
      })
    ).split('\n');
    expect(lines).toHaveLength(2004);
    expect(lines.filter((line) => line.startsWith('id'))).toEqual(['id  title  n']);
    expect([lines[2], lines[1002], lines[2002]]).toEqual([
      'a   short  1',
      'a   longer than it  1',
      'a   b               1',
    ]);
  });

  it('prints a note on stderr if there are no items', async () => {
    const terminal = screen();
    expect(await printedList('table', [{ items: [] }], { terminal, noun: 'spaces' })).toBe('');
    expect(terminal.stderr.text).toBe('No spaces.\n');
    const piped = fakeTerminal();
    expect(await printedList('table', [{ items: [] }], { terminal: piped })).toBe('id\ttitle\n');
    expect(piped.stderr.text).toBe('');
  });

  it('shows an object as names and wrapped values', async () => {
    const value = { id: 'a', description: 'one two three four five six', done: false };
    expect(await printedOne('table', value, { terminal: screen(33) })).toBe(
      'id           a\ndescription  one two three four\n             five six\ndone         ✗\n',
    );
    expect(await printedOne('table', { id: 'a' }, { terminal: screen(40, true) })).toBe(
      '\u001b[1mid\u001b[22m  a\n',
    );
  });

  it('wraps a value of hundreds of lines completely, in stable columns', async () => {
    const lines = (
      await printedOne('table', { 日本: '語 '.repeat(5000), id: 'a' }, { terminal: screen(30) })
    ).split('\n');
    expect(lines[0]).toBe('日本  語 語 語 語 語 語 語 語');
    expect(lines.slice(1, 625)).toEqual(Array.from({ length: 624 }, () => '      語 語 語 語 語 語 語 語'));
    expect(lines.slice(625)).toEqual(['id    a', '']);
  });
});
