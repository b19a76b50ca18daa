import { describe, expect, it, vi } from 'vitest';
import { exampleOf } from '../../src/specification/example-value.ts';
import { SchemaViewer } from '../../src/specification/view-schema.ts';

/** The example of a schema, which may refer to others by `#/NAME`. */
const example = (schema: unknown, others: Record<string, unknown> = {}): unknown =>
  exampleOf(new SchemaViewer(others), schema);

describe('an example value', () => {
  it.each<[string, unknown, unknown]>([
    ['its own', { example: null, examples: [1], default: 2 }, null],
    ['the first of several examples', { examples: ['a', 'b'], default: 'c' }, 'a'],
    ['the default if there are no examples', { examples: [], default: 'c', const: 'd' }, 'c'],
    ['the constant', { const: 'd', enum: ['e'] }, 'd'],
    ['the first value', { enum: ['e', 'f'], type: 'string' }, 'e'],
    ['a value of its type if there are no values', { enum: [], type: 'integer' }, 1],
  ])('is %s', (_name, schema, expected) => {
    expect(example(schema)).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['a text', { type: 'string' }, 'text'],
    ['a date', { type: 'string', format: 'date' }, '2026-01-31'],
    ['a text of an unknown format', { type: 'string', format: 'x' }, 'text'],
    ['a number', { type: 'number' }, 1],
    ['a number from a minimum', { type: 'integer', minimum: 0 }, 0],
    ['a boolean', { type: 'boolean' }, true],
    ['a list of any items', { type: 'array' }, []],
    ['a list', { type: 'array', items: { type: 'boolean' } }, [true]],
    ['nothing', { type: 'null' }, null],
    ['an object with any properties', { type: 'object' }, {}],
    ['a map', { additionalProperties: true }, {}],
    ['anything', {}, null],
    ['an optional text', { type: ['null', 'string'] }, 'text'],
    ['one of several types', { type: ['boolean', 'string'] }, true],
  ])('exists for %s', (_name, schema, expected) => {
    expect(example(schema)).toEqual(expected);
  });

  it('of an object has no deprecated fields', () => {
    const properties = {
      a: { type: 'boolean' },
      b: { type: 'string', deprecated: true },
      c: { $ref: '#/C' },
    };
    expect(example({ properties }, { C: { type: 'integer', deprecated: true } })).toEqual({ a: true });
  });

  it('of oneOf or anyOf is that of the first schema that is not null', () => {
    expect(example({ oneOf: [{ type: 'null' }, { type: 'boolean' }] })).toBe(true);
    expect(example({ anyOf: [{ type: 'string' }, { type: 'boolean' }] })).toBe('text');
    expect(example({ oneOf: [{ type: 'null' }], type: 'integer' })).toBe(1);
  });

  it('of allOf merges all parts, or is that of the first part with an example', () => {
    const one = { properties: { a: { type: 'boolean' } } };
    const other = { properties: { b: { type: 'integer' } } };
    expect(example({ allOf: [one, other], properties: { c: {} } })).toEqual({ a: true, b: 1, c: null });
    expect(example({ allOf: [{}, { type: 'string' }] })).toBe('text');
    expect(example({ allOf: [one, { required: ['b'] }, other] })).toEqual({ a: true, b: 1 });
  });

  it('of an object with oneOf or anyOf has the fields of both', () => {
    const properties = { a: { type: 'boolean' } };
    const other = { properties: { b: { type: 'integer' } } };
    expect(example({ properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toEqual({ a: true });
    expect(example({ properties, oneOf: [other, {}] })).toEqual({ b: 1, a: true });
    expect(example({ type: 'object', anyOf: [{ required: ['a'] }] })).toEqual({});
  });

  it('of a request has no read-only fields, and of a response no write-only fields', () => {
    const properties = {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      inner: { allOf: [{ properties: { at: { $ref: '#/At' } } }] },
    };
    const of = (without?: 'readOnly' | 'writeOnly') =>
      exampleOf(new SchemaViewer({ At: { type: 'string', readOnly: true } }), { properties }, without);
    expect(of()).toEqual({ id: 1, secret: 'text', inner: { at: 'text' } });
    expect(of('readOnly')).toEqual({ secret: 'text', inner: {} });
    expect(of('writeOnly')).toEqual({ id: 1, inner: { at: 'text' } });
  });

  it('stops at recursive schemas, and after six levels', () => {
    const node = { properties: { next: { $ref: '#/Node' }, name: { type: 'string' } } };
    expect(example({ $ref: '#/Node' }, { Node: node })).toEqual({ next: null, name: 'text' });
    const list = (levels: number): unknown =>
      levels === 0 ? { type: 'string' } : { type: 'array', items: list(levels - 1) };
    expect(JSON.stringify(example(list(5)))).toBe('[[[[["text"]]]]]');
    expect(JSON.stringify(example(list(6)))).toBe('[[[[[[]]]]]]');
  });
});

/** Schemas that each have many fields with the next schema as type. */
const wide = (state: (last: boolean, next: object) => object, count = 7): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`S${at}`, state(at === count - 1, { $ref: `#/S${at + 1}` })]),
  );
const fieldsOf = (value: object): object => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, value])),
});

describe('an example with many values', () => {
  it('has at most 1,000 values, and null for the rest', () => {
    const schemas = wide((isLast, next) => fieldsOf(isLast ? { type: 'string' } : next));
    const made = example({ $ref: '#/S0' }, schemas) as Record<string, unknown>;
    expect(Object.keys(made)).toHaveLength(30);
    expect(made['f29']).toBeNull();
    expect(JSON.stringify(made).length).toBeLessThan(30_000);
  });

  it('counts the values that the schemas contain', () => {
    const large = { example: Array.from({ length: 1000 }, () => 'a'.repeat(100)) };
    const made = example(fieldsOf(large)) as Record<string, unknown>;
    expect(made).toMatchObject({ f0: large.example, f1: null, f29: null });
  });

  it('includes all fields of a single object', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`f${at}`, { default: 7 }]),
    );
    expect(Object.values(example({ properties }) as object)).toEqual(Array(2000).fill(7));
  });
});

it('limits how often nested allOf parts are resolved', () => {
  const schemas = wide((isLast, next) => (isLast ? { type: 'object' } : { allOf: Array(9).fill(next) }), 11);
  const viewer = new SchemaViewer(schemas);
  const resolve = vi.spyOn(viewer, 'resolve');
  expect(viewer.view({ $ref: '#/S0' })).toMatchObject({ title: 'S0' });
  expect(resolve.mock.calls.length).toBeLessThan(200_000);
});
