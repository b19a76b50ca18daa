import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/ingest/map-columns.ts';
import { RecordMapper } from '../../src/ingest/map-record.ts';
import { parseTime } from '../../src/ingest/parse-time.ts';
import { readMapping } from '../../src/ingest/mapping.ts';
import { parsePath, valueAtPath } from '../../src/ingest/field-path.ts';

const map = (
  record: unknown,
  maps: readonly string[],
  words: readonly string[] = [],
  source?: string,
  withoutId = false,
) =>
  new RecordMapper({
    mapping: readMapping(maps.length === 0 ? ['id=.id'] : maps, words, source)!,
    withoutId,
  }).map(record);

describe('paths of fields', () => {
  const record = { a: { b: [{ c: 1 }, 'x'] }, 'a.b': 2, 'odd key': { '': 3 }, list: [] };
  it.each<[string, unknown]>([
    ['.a.b', 2],
    ['a', record.a],
    ['.a.b[0].c', 1],
    ['a["b"][1]', 'x'],
    ['."odd key"', record['odd key']],
    ['odd key', record['odd key']],
    ['."odd key".""', 3],
    ['.a.b[2].c', undefined],
    ['.list.length', 0],
    ['.__proto__', undefined],
    ['.a.constructor', undefined],
  ])('return a value or undefined: %s', (text, expected) =>
    expect(valueAtPath(record, parsePath(text)!)).toEqual(expected),
  );

  it.each(['', '.', '.a..b', '.a[', '.a[x]', '."a', '.a"b'])('cannot be %j', (text) =>
    expect(parsePath(text)).toBeUndefined(),
  );

  it('can be any name of a column', () => {
    expect(valueAtPath({ 'Name (first) [x': 'a' }, parsePath('Name (first) [x')!)).toBe('a');
  });
});

describe('times of records', () => {
  it.each([
    ['2026-02-24T15:02:39Z', '2026-02-24T15:02:39Z'],
    ['2026-02-24 15:02', '2026-02-24T15:02:00Z'],
    ['2026-02-24 15:02:39.5 +0100', '2026-02-24T15:02:39.5+01:00'],
    ['2026-02-24 15:02:39 UTC', '2026-02-24T15:02:39Z'],
    ['2026-02-24', '2026-02-24T00:00:00Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['24.02.2026 15:02', '2026-02-24T15:02:00Z'],
    ['1.3.2024', '2024-03-01T00:00:00Z'],
    ['2026/02/24 9:05', '2026-02-24T09:05:00Z'],
    ['Fri, 01 Mar 2024 10:00:00 +0100', '2024-03-01T09:00:00.000Z'],
    ['Mar 1, 2024 10:00 PM', '2024-03-01T22:00:00.000Z'],
    ['March 1, 2024 at 9:30', '2024-03-01T09:30:00.000Z'],
    ['1700000000.000100', '2023-11-14T22:13:20.000Z'],
    ['32.01.2026', undefined],
    ['2026-02/24', undefined],
    ['Foo 1, 2024', undefined],
    ['Feb 31, 2026 3:02 PM', undefined],
    ['Tue, 31 Jun 2026 23:30:00 -0500', undefined],
    ['Tue, 30 Jun 2026 23:30:00 -0500', '2026-07-01T04:30:00.000Z'],
    ['Tue, 30 Jun 2026 23:30:00 +9999', '2026-06-26T18:51:00.000Z'],
    ['Mon, 14 May 2001 16:39:00 -0700 (PDT)', '2001-05-14T23:39:00.000Z'],
    ['Tue Oct 31 22:10:47 +0000 2017', '2017-10-31T22:10:47.000Z'],
    ['Thu Feb 30 22:10:47 +0000 2017', undefined],
    ['24/Feb/26 3:02 PM', '2026-02-24T15:02:00.000Z'],
    ['4/Feb/99', '1999-02-04T00:00:00.000Z'],
    ['24-Feb-2026 15:02', '2026-02-24T15:02:00.000Z'],
    ['31/Feb/26 3:02 PM', undefined],
    ['24/Feb/026', undefined],
    ['24/Feb-2026', undefined],
    ['2/3/2026', undefined],
    ['2026-13-01', undefined],
    ['yesterday', undefined],
    [-5, undefined],
    [Number.NaN, undefined],
    [true, undefined],
  ])('are read or ignored: %j', (given, expected) => expect(parseTime(given)).toBe(expected));
});

describe('mapping a record to a conversation', () => {
  it('uses the mapping, and otherwise fields with the same names', () => {
    const record = {
      ticket: 17,
      subject: 'Card',
      at: 1_700_000_000,
      tags: ['a', 2, null],
      plan: true,
      metadata: { url: 'https://x.test/1', attributes: { team: 'b', plan: 'old' } },
      parts: [{ type: 'message', role: 'assistant', body: 'Hi' }],
      more: 1,
    };
    expect(
      map(
        record,
        ['id=.ticket', 'createdAt=.at', 'attributes.tags=.tags', 'attributes.plan=plan'],
        [],
        'zendesk',
      ),
    ).toEqual({
      value: {
        id: '17',
        subject: 'Card',
        metadata: {
          url: 'https://x.test/1',
          attributes: { team: 'b', plan: 'true', source: 'zendesk', tags: 'a, 2' },
          createdAt: '2023-11-14T22:13:20.000Z',
        },
        parts: [{ type: 'message', role: 'assistant', body: 'Hi' }],
      },
    });
  });

  it('creates messages from a list, with the roles of their authors', () => {
    const record = {
      id: 'a',
      comments: [
        { text: 'one', from: { kind: 'Customer' } },
        { text: '' },
        { text: 'two', from: { kind: 'x_bot' } },
        'three',
        { text: 4, from: { kind: 'AGENT' } },
      ],
    };
    const maps = ['parts=.comments', 'body=.text', 'role=.from.kind'];
    expect(map(record, maps, ['X_Bot=assistant'])).toEqual({
      value: {
        id: 'a',
        parts: [
          { type: 'message', role: 'user', body: 'one' },
          { type: 'message', role: 'assistant', body: 'two' },
          { type: 'message', role: 'user', body: 'three' },
          { type: 'message', role: 'team-member', body: '4' },
        ],
      },
    });
    expect(map(record, maps)).toEqual({
      problem:
        'the record has a message whose role "x_bot" is not known; add --role "x_bot"=user (or assistant or team-member), or --role "*"=user for all other words',
    });
    expect(map(record, maps, ['*=team-member'])).toMatchObject({
      value: {
        parts: [{ role: 'user' }, { role: 'team-member' }, { role: 'user' }, { role: 'team-member' }],
      },
    });
  });

  it('returns a conversation with only a subject if the record has nothing else', () => {
    expect(map({ id: 'a', title: 'Crash', body: null }, ['subject=.title'])).toEqual({
      value: { id: 'a', subject: 'Crash', parts: [] },
      lacksMessages: true,
    });
  });

  it('accepts a conversation without messages only if the record has an empty list', () => {
    const empty = { value: { id: 'a', parts: [] } };
    expect(map({ id: 'a', parts: [] }, [])).toEqual(empty);
    expect(map({ id: 'a', messages: '[]' }, ['parts=messages'])).toEqual(empty);
    expect(map({ id: 'a', parts: [{ body: '' }] }, [])).toEqual({ ...empty, lacksMessages: true });
  });

  it('creates one message from a body, and parses a list that is written as text', () => {
    expect(map({ id: 'a', text: 'Hi', who: 'bot' }, ['body=.text', 'role=.who'])).toEqual({
      value: { id: 'a', parts: [{ type: 'message', role: 'assistant', body: 'Hi' }] },
    });
    expect(map({ id: 'a', body: 'Hi' }, [])).toEqual({
      value: { id: 'a', parts: [{ type: 'message', role: 'user', body: 'Hi' }] },
    });
    expect(map({ id: 'a', messages: ' ["Hi"]' }, ['parts=messages'])).toEqual({
      value: { id: 'a', parts: [{ type: 'message', role: 'user', body: 'Hi' }] },
    });
  });

  it.each<[unknown, string[], string]>([
    ['x', ['id=.a'], 'the record is not an object'],
    [{ b: 1 }, ['id=.a'], 'the record has no ID (.a)'],
    [{ a: '' }, ['id=.a'], 'the record has no ID (.a)'],
    [{ a: [1] }, ['id=.a'], 'the record has a list or an object instead of a text at .a; name a text in it'],
    [
      JSON.parse('{"a":1234567890123456789,"body":"x"}'),
      ['id=.a'],
      'the record has a number with too many digits at .a; write it in quotes',
    ],
    [{ id: 'a' }, ['subject=.b'], 'the record has no message (body)'],
    [{ id: 'a', text: null }, ['body=.text'], 'the record has no message (.text)'],
    [
      { id: 'a', list: {} },
      ['parts=.list'],
      'the record has no list of messages (.list); write it as [{ "role": "user", "body": "text" }] or ["text"]',
    ],
    [
      { id: 'a', list: '[1' },
      ['parts=.list'],
      'the record has no list of messages (.list); write it as [{ "role": "user", "body": "text" }] or ["text"]',
    ],
    [
      { id: 'a', body: 'x', at: 'soon' },
      ['createdAt=.at'],
      'the record has "soon" at .at, which is not a time that docsctl knows; write it as 2026-02-24T15:02:39Z',
    ],
    [
      { id: 'a', body: 'x', tags: [{ name: 'bug' }] },
      ['attributes.tags=.tags'],
      'the record has a list or an object instead of a text at attributes.tags; name a text in it',
    ],
    [
      { id: 'a', body: 'x', o: {} },
      ['attributes.o=.o'],
      'the record has an object as the attribute "o"; name a text in it',
    ],
  ])('refuses %j with %j', (record, maps, problem) => expect(map(record, maps)).toEqual({ problem }));

  it('treats names such as __proto__ as normal names', () => {
    const mapped = map(JSON.parse('{"id":"a","body":"x","attributes":{"__proto__":"y"}}'), []) as {
      value: { metadata: { attributes: object } };
    };
    expect(Object.entries(mapped.value.metadata.attributes)).toEqual([['__proto__', 'y']]);
  });
});

describe('mapping a record of a help desk whose first message is stored separately', () => {
  const intercom = {
    type: 'conversation',
    id: '7',
    created_at: 1_700_000_000,
    source: { subject: 'Card', body: 'Help!', author: { type: 'user' }, delivered_as: 'customer_initiated' },
    conversation_parts: {
      conversation_parts: [
        { part_type: 'comment', body: 'Hi', author: { type: 'admin' } },
        { part_type: 'assignment', body: null, author: { type: 'bot' } },
        { part_type: 'note', body: 'A regular', author: { type: 'admin' } },
      ],
    },
    tags: { tags: [{ name: 'vip' }] },
  };
  const parts = [
    { type: 'message', role: 'user', body: 'Help!' },
    { type: 'message', role: 'team-member', body: 'Hi' },
  ];
  const read = { id: '7', subject: 'Card', metadata: { createdAt: '2023-11-14T22:13:20.000Z' }, parts };

  it('reads a conversation of Intercom, also with mapped fields', () => {
    expect(map(intercom, [])).toEqual({ value: read });
    const maps = ['parts=.conversation_parts.conversation_parts', 'body=.body', 'role=.author.type'];
    expect(map(intercom, maps)).toEqual({ value: read });
    expect(map(intercom, ['attributes.tag=.tags.tags[0].name'])).toMatchObject({
      value: { metadata: { attributes: { tag: 'vip' } }, parts },
    });
    expect(map(intercom, ['body=.source.body'])).toMatchObject({ value: { parts: parts.slice(0, 1) } });
    expect(map({ ...intercom, conversation_parts: undefined }, [])).toMatchObject({
      value: { parts: parts.slice(0, 1) },
    });
  });

  it('reads a ticket of Freshdesk', () => {
    const ticket = {
      id: 7,
      subject: 'Card',
      created_at: '2023-11-14T22:13:20.000Z',
      description: '<p>Help!</p>',
      description_text: 'Help!',
      conversations: [
        { body: '<p>Hi</p>', body_text: 'Hi', incoming: false, private: false },
        { body_text: 'A regular', incoming: false, private: true },
        { body_text: 'Thanks', incoming: true, private: false },
      ],
    };
    const thanks = { type: 'message', role: 'user', body: 'Thanks' };
    expect(map(ticket, [])).toMatchObject({ value: { ...read, parts: [...parts, thanks] } });
  });
});

describe('invalid mappings', () => {
  it.each<[string[], string[], string]>([
    [['subjet=.a'], [], '"subjet" is not a field of a conversation; did you mean "subject"?'],
    [['parts.body=.a'], [], '"parts.body" is not a field of a conversation; did you mean "body"?'],
    [['zzzzzzzz=.a'], [], '"zzzzzzzz" is not a field of a conversation.'],
    [['id=.a..b'], [], '".a..b" is not a path.'],
    [['id=.a', 'id=.b'], [], 'The target "id" is given twice.'],
    [['id'], [], '--map takes NAME=VALUE, not "id".'],
    [['id=.a'], ['x=boss'], '"boss" is not a role.'],
    [['id=.a'], ['x'], '--role takes NAME=VALUE, not "x".'],
  ])('are refused: %j %j', (maps, words, message) =>
    expect(() => readMapping(maps, words, undefined)).toThrow(message),
  );

  const columns = (maps: readonly string[], names: readonly string[], withoutId = false) =>
    mapColumns(readMapping(maps, ['x=user'], undefined)!, names, 'f', withoutId);

  it('suggests the column with the most similar name', () => {
    expect(() => columns(['id=Ticket'], ['Tickets', 'body'])).toThrow(
      'f has no column "Ticket" for id; did you mean "Tickets"?',
    );
    expect(() => columns(['attributes.plan=.plan'], ['id', 'body', 'Plan'])).toThrow(
      'f has no column "plan" for attributes.plan; did you mean "Plan"?',
    );
    expect(() => columns([], ['number', 'body'])).toThrow('f has no column "id".');
    expect(() => columns([], ['id', 'text'])).toThrow('f has no column "body".');
  });

  it('finds the body and role inside a column of messages, and other fields in columns', () => {
    const maps = ['parts=messages', 'body=.text', 'role=.who'];
    expect([...columns(maps, ['id', 'messages']).paths.keys()]).toEqual(['parts', 'body', 'role', 'id']);
    for (const [given, column, target] of [
      [['parts=messages', 'subject=Title'], 'Title', 'subject'],
      [['body=.text'], 'text', 'body'],
      [['role=.who'], 'who', 'role'],
    ] as const)
      expect(() => columns(given, ['id', 'messages'])).toThrow(`f has no column "${column}" for ${target}`);
  });

  it('refuses two columns of the same name only if one of them is read', () => {
    const names = ['id', 'body', 'Comment', 'Comment'];
    expect([...columns([], names).paths.keys()]).toEqual(['id', 'body']);
    for (const [maps, more] of [
      [['subject=Comment'], []],
      [['attributes.last=Comment'], []],
      [[], ['id']],
    ] as const)
      expect(() => columns(maps, [...names, ...more])).toThrow(/^f has two columns "(?:Comment|id)"\.$/);
    expect([...columns(['parts=m', 'body=Comment'], [...names, 'm']).paths.keys()]).toContain('parts');
  });

  it('maps columns with the names of fields automatically', () => {
    const { paths, attributes } = columns(
      ['subject=Title'],
      ['ID', 'Title', 'Created At', 'body', 'attributes.plan', 'Subject', 'x'],
    );
    expect([...paths].map(([target, { name }]) => [target, name])).toEqual([
      ['subject', 'Title'],
      ['id', 'ID'],
      ['createdAt', 'Created At'],
      ['body', 'body'],
    ]);
    expect([...attributes.keys()]).toEqual(['plan']);
    expect([...columns([], ['body'], true).paths.keys()]).toEqual(['body']);
  });
});
