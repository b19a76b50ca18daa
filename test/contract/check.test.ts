import { describe, expect, it } from 'vitest';
import {
  checkInput,
  findViolationOfAnswer,
  hasFormat,
  violationsOf,
  violationsOfInput,
} from '../../src/contract/check.ts';
import { ok, operation } from '../../src/contract/operation.ts';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { createInvite } from '../../src/resources/invites/contract.ts';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { getSpace } from '../../src/resources/spaces/contract.ts';
import { closed, Id, nullable, oneOf, Type } from '../../src/contract/schema.ts';
import { RichDocument } from '../../src/contract/shapes.ts';

const Title = Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]+$' });
const cases = Type.Union([
  closed({ type: Type.Literal('a'), x: Type.Number() }),
  closed({ type: Type.Literal('b'), y: Type.Number() }),
]);
const mixed = Type.Union([
  closed({ type: oneOf(['a', 'b']), name: Type.String() }),
  closed({ type: Type.Literal('c') }),
]);

it('an ID has up to 255 letters, digits, "_" and "-"', () => {
  const messages = (id: string) => violationsOf(closed({ id: Id }), { id }, '').map(({ message }) => message);
  expect(['aZ_-09', 'a'.repeat(255)].flatMap(messages)).toEqual([]);
  expect(messages('a'.repeat(256))).toEqual(['must have at most 255 characters']);
  for (const id of ['', 'a b', 'ä', 'a/b']) expect(messages(id)).toHaveLength(1);
});

it('limits of texts count characters, not UTF-16 code units', () => {
  const schema = closed({ title: Type.String({ maxLength: 3 }), icon: Type.String({ maxLength: 1 }) });
  expect(violationsOf(schema, { title: '📘📘📘', icon: '' }, '')).toEqual([]);
  expect(violationsOf(schema, { title: '📘📘📘', icon: 'no' }, '')).toEqual([
    { path: '/icon', message: 'must have at most 1 characters' },
  ]);
  expect(violationsOf(schema, { title: '📘📘📘📘', icon: '' }, '')).toHaveLength(1);
  expect(findViolationOfAnswer(schema, { title: '📘📘📘', icon: '', newer: 1 })).toBeUndefined();

  const Short = nullable(Type.String({ minLength: 2 }));
  const two = closed({ title: Short, emoji: Type.String({ format: 'emoji' }) });
  expect(violationsOf(two, { title: '📘📘', emoji: '📘' }, '')).toEqual([]);
  expect(violationsOf(two, { title: '📘', emoji: '📘' }, '')).toEqual([
    { path: '/title', message: 'must have at least 2 characters' },
  ]);
});

describe('the violation of a union', () => {
  it.each([
    ['a string that is too short', nullable(Title), 'a', '', 'must have at least 2 characters'],
    ['a string that is too long', nullable(Title), 'abcde', '', 'must have at most 4 characters'],
    ['a string with forbidden characters', nullable(Title), 'A1', '', 'does not match ^[a-z]+$'],
    ['a number that is too large', nullable(Type.Integer({ maximum: 3 })), 9, '', 'must be at most 3'],
    [
      'a field of the object',
      nullable(closed({ title: Title })),
      { title: '' },
      '/title',
      'must have at least 2 characters',
    ],
    [
      'an item of the list',
      nullable(Type.Array(Title)),
      ['ab', 'a'],
      '/1',
      'must have at least 2 characters',
    ],
    ['a value of another type', nullable(Title), 7, '', 'must be one of: string, null'],
    [
      'a word that is not in the list',
      nullable(oneOf(['read', 'edit'])),
      'write',
      '',
      'must be one of: read, edit, null',
    ],
    ['an unknown kind of object', cases, { type: 'c' }, '', 'must have "type" set to one of: a, b'],
    [
      'an unknown kind if one kind has several words',
      mixed,
      { type: 'd' },
      '',
      'must have "type" set to one of: a, b, c',
    ],
    ['a field of the kind with several words', mixed, { type: 'b', name: 7 }, '/name', 'must be a string'],
    ['a field of the intended kind', cases, { type: 'b', y: 'no' }, '/y', 'must be a number'],
    [
      'a kind of object if null is also allowed',
      nullable(closed({ type: Type.Literal('a') })),
      { type: 'c' },
      '',
      'must be one of: an object with "type", null',
    ],
  ])('is specific for %s', (_, schema, value, path, message) => {
    expect(violationsOf(schema, value, '')).toEqual([{ path, message }]);
  });
});

describe('checkInput and hasFormat', () => {
  it('accept path parameters of up to 1,024 characters', () => {
    const check = (spaceId: string) => () => checkInput(getSpace, { params: { spaceId } });
    expect(check('x'.repeat(1024))()).toEqual({
      params: { spaceId: 'x'.repeat(1024) },
      query: {},
      body: undefined,
    });
    const fault = (message: string) =>
      expect.objectContaining({ violations: [{ path: '/spaceId', message }] });
    expect(check('')).toThrow(fault('is required'));
    expect(check('x'.repeat(1025))).toThrow(fault('must have at most 1024 characters'));
  });

  it.each([
    [`${'a'.repeat(64)}@b.test`, true],
    [`${'a'.repeat(65)}@b.test`, false],
    [`a@${'b'.repeat(247)}.test`, true],
    [`a@${'b'.repeat(248)}.test`, false],
  ])('accept the email %s: %j', (email, isTaken) => {
    expect(hasFormat(email, 'email')).toBe(isTaken);
  });

  it('accept any text for an unknown format, but no incomplete URL', () => {
    for (const slashes of ['http:/idp', 'HTTPS:idp', 'https:']) expect(hasFormat(slashes, 'uri')).toBe(false);
    expect([hasFormat('https://a', 'uri'), hasFormat('mailto:a@b.test', 'uri')]).toEqual([true, true]);
    expect([hasFormat('x', 'color'), hasFormat('x', 'constructor'), hasFormat('x', 'uri')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['titel', 'titel is not a known field (did you mean title?).'],
    ['tit', 'tit is not a known field (did you mean title?).'],
    ['colour', 'colour is not a known field.'],
  ])('refuse the unknown field %s', (name, message) => {
    expect(() =>
      checkInput(createCollection, { params: { organizationId: 'o' }, body: { title: 'T', [name]: 'x' } }),
    ).toThrow(message);
  });

  it('list at most ten violations, and count the others in the message', () => {
    const body = (count: number) => ({
      title: 'T',
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1])),
    });
    const call = (count: number) => () =>
      checkInput(createCollection, { params: { organizationId: 'o' }, body: body(count) });
    const refusal = (count: number, message: string) =>
      expect.objectContaining({
        message,
        violations: expect.toSatisfy((list: unknown[]) => list.length === count),
      });
    expect(call(1)).toThrow(refusal(1, 'The input is not valid: unknown0 is not a known field.'));
    expect(call(2)).toThrow(
      refusal(2, 'The input is not valid: unknown0 is not a known field. There is 1 more error.'),
    );
    expect(call(11)).toThrow(
      refusal(10, 'The input is not valid: unknown0 is not a known field. There are 9 more errors.'),
    );
  });
});

describe('a rich document', () => {
  const documentOf = (more: object) => ({ object: 'document', data: {}, nodes: [], ...more });
  const node = { object: 'block' };

  it('must have an object, data and at most 10,000 nodes, and no other fields', () => {
    const nodes = Array.from({ length: 10_000 }, () => node);
    const versioned = documentOf({ data: { schemaVersion: 2, more: 'x' }, meta: { token: 'x' } });
    for (const value of [documentOf({}), versioned, documentOf({ meta: {} }), documentOf({ nodes })])
      expect(violationsOf(RichDocument, value, '/body')).toEqual([]);
    for (const value of [
      null,
      documentOf({ object: 'block' }),
      documentOf({ data: [] }),
      documentOf({ data: { schemaVersion: '2' } }),
      documentOf({ data: { schemaVersion: 2.5 } }),
      documentOf({ meta: { token: 7 } }),
      documentOf({ nodes: {} }),
      documentOf({ nodes: [...nodes, node] }),
      documentOf({ nodes: [{}] }),
      documentOf({ meta: 7 }),
      documentOf({ more: 7 }),
    ])
      expect(violationsOf(RichDocument, value, '/body')).toEqual([
        { path: '/body', message: 'is not a valid rich document' },
      ]);
  });
});

describe('the answer of a server', () => {
  const Answer = closed({
    id: Type.String(),
    at: Type.Optional(closed({ x: Type.Number() })),
    of: Type.Optional(cases),
    either: Type.Optional(Type.Union([closed({ a: Type.String() }), closed({ b: Type.String() })])),
  });

  it('can have unknown fields at every depth and in every branch', () => {
    const newer = {
      more: 1,
      at: { x: 1, more: 1 },
      of: { type: 'a', x: 1, more: 1 },
      either: { b: '', c: 1 },
    };
    expect(findViolationOfAnswer(Answer, { id: 'a', ...newer })).toBeUndefined();
  });

  it.each<[string, unknown, string, string]>([
    ['a field is missing', { more: 1 }, '/id', 'is required'],
    ['the value is not an object', [], '', 'must be an object'],
    [
      'a nested field has another type',
      { id: 'a', more: 1, at: { more: 1, x: '' } },
      '/at/x',
      'must be a number',
    ],
    [
      'a field of the chosen branch is missing',
      { id: 'a', of: { type: 'b', more: 1 } },
      '/of/y',
      'is required',
    ],
    [
      'no branch fits',
      { id: 'a', either: { c: 1 } },
      '/either',
      'must be one of: an object with "a", an object with "b"',
    ],
  ])('has a violation if %s', (_, value, path, message) => {
    expect(findViolationOfAnswer(Answer, value)).toEqual({ path, message });
  });
});

it('long names in paths of violations are truncated', () => {
  const [violation] = violationsOf(closed({ a: Title }), { a: 'abc', ['k'.repeat(100_000)]: 1 }, '/body');
  expect(violation).toEqual({ path: `/body/${'k'.repeat(294)}…`, message: 'is not a known field' });
});

it('an object with a field of one branch of a union is checked against this branch', () => {
  const body = { favicon: { icon: { light: 'https://example.com/a.png' } } };
  expect(violationsOf(updateSiteCustomization.body, body, '')).toEqual([
    { path: '/favicon/icon/dark', message: 'is required' },
  ]);
});

it('the violation for a text in place of an object names the fields of the object', () => {
  const body = { styling: { primaryColor: '#ff0000' } };
  expect(violationsOf(updateSiteCustomization.body, body, '')).toEqual([
    { path: '/styling/primaryColor', message: 'must be one of: an object with "light" and "dark", null' },
  ]);
});

it('the violation for a missing field with few possible values lists them', () => {
  const schema = closed({ style: oneOf(['info', 'danger']), language: oneOf([...'abcdefghijklmnop']) });
  expect(violationsOf(schema, {}, '')).toEqual([
    { path: '/style', message: 'is required (one of: info, danger)' },
    { path: '/language', message: 'is required' },
  ]);
});

it('the violation for a missing field that can be null says what null means', () => {
  expect(violationsOf(createInvite.body, {}, '')).toEqual([
    { path: '/role', message: 'is required (null: no role)' },
  ]);
  const body = { header: { links: [{ title: 'More', links: [] }] } };
  expect(violationsOf(updateSiteCustomization.body, body, '')).toEqual([
    { path: '/header/links/0/to', message: 'is required (null for a menu of links)' },
  ]);
  expect(violationsOf(closed({ title: nullable(Title) }), {}, '')).toEqual([
    { path: '/title', message: 'is required' },
  ]);
});

it.each([
  ['/body/title', 'contains', { body: { title: 'a\ud800' } }],
  ['/body/list/1', 'contains', { body: { list: ['a', '\udc00b'] } }],
  ['/body/map', 'has a name with', { body: { map: { 'a\ud800': '' } } }],
  ['/query/word', 'contains', { query: { word: '\ud800' } }],
])('half of a surrogate pair is refused in %s', (path, what, input) => {
  const noted = operation({
    id: 'notes.create',
    route: 'POST /orgs/:organizationId/notes',
    summary: 'Create a note',
    access: 'org.read',
    query: { word: Type.Optional(Type.String()) },
    body: closed({
      title: Type.Optional(Type.String()),
      list: Type.Optional(Type.Array(Type.String())),
      map: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
    returns: ok(closed({})),
  });
  const found = (given: object) =>
    violationsOfInput(noted, { params: { organizationId: 'o' }, ...given }).violations;
  expect(found(input)).toEqual([
    { path, message: `${what} half of a surrogate pair, which is not a character` },
  ]);
  const whole = { title: '\u{1f4d8}', list: ['\u{1f4d8}'], map: { '\u{1f4d8}': '' } };
  expect(found({ body: whole, query: { word: '\u{1f4d8}' } })).toEqual([]);
});
