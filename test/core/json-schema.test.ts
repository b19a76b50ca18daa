import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkSchema, compileSchema, schemaLimits } from '../../src/core/json-schema.ts';
import { Problem } from '../../src/errors/problem.ts';

const settings = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://example.com/settings',
  type: 'object',
  properties: {
    channel: { type: 'string', minLength: 1, maxLength: 20, title: 'Channel' },
    level: { type: 'string', enum: ['info', 'error'], default: 'info' },
    site: { type: 'string', format: 'uri' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
    more: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['channel'],
  additionalProperties: false,
};

describe('a compiled schema', () => {
  const check = compileSchema(settings);

  it('accepts a valid value', () => {
    expect(checkSchema(settings)).toEqual([]);
    expect(
      check({
        channel: 'docs',
        level: 'info',
        site: 'https://example.com',
        tags: ['a', 'b'],
        more: { x: 1 },
      }),
    ).toEqual([]);
  });

  it.each<[string, unknown, string, string]>([
    ['a field that is missing', {}, '/channel', 'is required'],
    ['a field of another type', { channel: 1 }, '/channel', 'must be string'],
    ['a value that is not listed', { channel: 'x', level: 'debug' }, '/level', 'must be one of: info, error'],
    ['an unknown field', { channel: 'x', 'a/b': 1 }, '/a~1b', 'is not a known field'],
    ['a format', { channel: 'x', site: 'nowhere' }, '/site', 'must match format "uri"'],
    ['a list', { channel: 'x', tags: ['a', 'a'] }, '/tags', expect.stringContaining('duplicate') as never],
    ['a value that is not an object', 'text', '', 'must be object'],
    ['an inherited property', Object.create({ channel: 'x' }), '/channel', 'is required'],
    [
      'too much',
      { channel: 'x', tags: Array.from({ length: schemaLimits.valueNodes }, () => 'a') },
      '',
      `holds more than ${schemaLimits.valueNodes} values`,
    ],
  ])('reports %s', (_, value, path, message) => {
    expect(check(value, '/body/configuration')).toEqual([{ path: `/body/configuration${path}`, message }]);
  });

  it('does not change the checked value', () => {
    const value = Object.freeze({ channel: 'x' });
    expect(check(value)).toEqual([]);
    expect(value).toEqual({ channel: 'x' });
  });
});

describe('an invalid schema', () => {
  let deep: unknown = {};
  for (let depth = 0; depth < 20; depth++) deep = { not: deep };
  let allOf: unknown = {};
  for (let depth = 0; depth < 11; depth++) allOf = { allOf: [allOf, allOf] };

  it.each<[string, unknown, string, string]>([
    ['a value that is not a schema', 'x', '', 'must be a schema'],
    ['null', null, '', 'must be a schema'],
    [
      'a reference to a URL',
      { $ref: 'https://evil.test/schema.json' },
      '/$ref',
      'references to other schemas are not supported',
    ],
    [
      'a reference to a file',
      { properties: { a: { $ref: 'file:///etc/passwd' } } },
      '/properties/a/$ref',
      'references to other schemas are not supported',
    ],
    ['a reference to itself', { $ref: '#' }, '/$ref', 'references to other schemas are not supported'],
    [
      'a pattern',
      { properties: { a: { pattern: '(a+)+$' } } },
      '/properties/a/pattern',
      'patterns are not supported',
    ],
    [
      'patterns of property names',
      { patternProperties: { '(a+)+$': {} } },
      '/patternProperties',
      'patterns are not supported',
    ],
    ['a format that is a pattern', { format: 'regex' }, '/format', 'must be one of'],
    ['another draft', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, '/$schema', 'draft-07'],
    ['keywords that only ajv knows', { $data: '1/x' }, '/$data', 'not a known keyword'],
    ['keywords named like inherited properties', { constructor: {} }, '/constructor', 'not a known keyword'],
    [
      'a nested $id',
      { properties: { a: { $id: 'x' } } },
      '/properties/a/$id',
      'allowed only at the top level',
    ],
    ['an unknown type', { type: 'text' }, '/type', 'must be'],
    ['an empty enum', { enum: [] }, '/enum', 'must have a value'],
    ['a limit that is a string', { maxLength: '5' }, '/maxLength', 'must be'],
    ['properties that are a list', { properties: [] }, '/properties', 'must be an object of schemas'],
    ['allOf that is an object', { allOf: {} }, '/allOf', 'must be a list of schemas'],
    [
      'a property called __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      '/properties',
      '__proto__',
    ],
    ['too deep', deep, '/not'.repeat(16), 'at most 16 levels deep'],
    ['too large', allOf, '', 'at most 2000 parts'],
    ['data too deep', { const: JSON.parse('['.repeat(40) + ']'.repeat(40)) }, '/const', 'levels deep'],
    ['a long text', { description: 'x'.repeat(2000) }, '/description', 'must have at most'],
    [
      'many unique lists',
      { anyOf: Array.from({ length: 11 }, () => ({ uniqueItems: true })) },
      '/anyOf/10/uniqueItems',
      'at most 10',
    ],
  ])('is refused with the path of the error: %s', (_, schema, path, message) => {
    const [first] = checkSchema(schema, '/body');
    expect(first).toEqual({
      path: expect.stringContaining(`/body${path}`),
      message: expect.stringContaining(message),
    });
    expect(() => compileSchema(schema)).toThrow(Problem);
  });

  it('is refused with at most ten errors', () => {
    expect(
      checkSchema({
        properties: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, 1])),
      }),
    ).toHaveLength(10);
  });
});

test('every schema that is not refused compiles and checks values', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    'enum',
    'const',
    'required',
    'allOf',
    'not',
    'if',
    'format',
    'minimum',
    'maxItems',
    'uniqueItems',
    'additionalProperties',
    'contains',
    'propertyNames',
    'pattern',
    '$ref',
    'description',
    '$id',
    '__proto__',
  );
  const { schema } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('string', 'object', 'array', 'uri', 'x', 1, -1, true, null),
      fc.array(tie('schema'), { maxLength: 3 }),
      tie('schema'),
      fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
    ),
    schema: fc.dictionary(keyword, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));
  let compiled = 0;
  fc.assert(
    fc.property(schema, fc.jsonValue({ maxDepth: 3 }), (given, value) => {
      if (checkSchema(given).length > 0) return;
      compiled++;
      expect(Array.isArray(compileSchema(given)(value))).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(compiled).toBeGreaterThan(20);
}, 60_000);

test('names in a schema are treated as data, including code', () => {
  const names = [
    "'); throw 1; ('",
    '`${process.exit()}`',
    '\\',
    '"',
    "']",
    '\u2028',
    'constructor',
    'hasOwnProperty',
    'toString',
  ];
  const check = compileSchema({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { const: name }])),
    required: names,
    additionalProperties: false,
  });
  expect(check(Object.fromEntries(names.map((name) => [name, name])))).toEqual([]);
  expect(check({})).toHaveLength(1);
});

describe('the size of a schema', () => {
  const { depth, nodes, text, valueDepth, valueNodes, unique } = schemaLimits;
  const nested = (levels: number): unknown => (levels === 1 ? {} : { not: nested(levels - 1) });
  const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const parts = (count: number) => ({ anyOf: Array.from({ length: count - 1 }, () => true) });

  it.each<[string, (size: number) => unknown, number]>([
    ['levels', nested, depth],
    ['parts', parts, nodes],
    // The schema itself, the enum and its values.
    ['parts in data', (count) => ({ enum: Array.from({ length: count - 2 }, (_, index) => index) }), nodes],
    ['characters of a text', (length) => ({ description: 'x'.repeat(length) }), text],
    ['levels of data', (levels) => ({ const: lists(levels) }), depth],
    [
      'unique lists',
      (count) => ({ anyOf: Array.from({ length: count }, () => ({ uniqueItems: true })) }),
      unique,
    ],
  ])('is limited in %s', (_, schemaOf, limit) => {
    expect(checkSchema(schemaOf(limit))).toEqual([]);
    expect(checkSchema(schemaOf(limit + 1))).toHaveLength(1);
  });

  it('is limited, and so is the size of a checked value', () => {
    const check = compileSchema(true);
    const flat = (count: number) => Array.from({ length: count - 1 }, () => 1);
    expect([check(flat(valueNodes)), check(lists(valueDepth))]).toEqual([[], []]);
    expect(check(flat(valueNodes + 1))).toEqual([
      { path: '', message: `holds more than ${valueNodes} values` },
    ]);
    expect(check(lists(valueDepth + 1))).toEqual([
      { path: '', message: `is nested more than ${valueDepth} levels deep` },
    ]);
  });
});
