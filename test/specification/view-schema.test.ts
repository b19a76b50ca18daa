import { expect, it } from 'vitest';
import { SchemaViewer } from '../../src/specification/view-schema.ts';

const view = (schema: unknown) => new SchemaViewer({}).view(schema);

it.each<[string, unknown, string]>([
  ['a type', { type: 'string' }, 'string'],
  ['a format', { type: 'string', format: 'date-time' }, 'string · date-time'],
  ['a type or null', { type: ['string', 'null'] }, 'string or null'],
  ['a type that is nullable', { type: 'string', nullable: true }, 'string or null'],
  ['one schema or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  ['anything', true, 'any'],
])('names %s', (_name, schema, type) => {
  expect(view(schema).type).toBe(type);
});

it('names several schemas or null, and lists those that are not null', () => {
  const variants = [{ type: 'string' }, { type: 'integer' }];
  const [required, optional] = [view({ oneOf: variants }), view({ oneOf: [...variants, { type: 'null' }] })];
  expect(optional.type).toBe(`${required.type} or null`);
  for (const { variants: shown } of [required, optional])
    expect(shown.map(({ type }) => type)).toEqual(['string', 'integer']);
});

it('writes values without the quotes of texts', () => {
  const { values, ...shown } = view({ enum: ['a b', 1, null], default: 'a b', example: { b: ['c'] } });
  expect(values).toEqual(['a b', '1', 'null']);
  expect(shown).toMatchObject({ default: 'a b', example: '{"b":["c"]}' });
});
