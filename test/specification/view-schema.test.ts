import { describe, expect, it } from 'vitest';
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

it.each([
  [{ minimum: 0, maximum: 9 }, ['min: 0', 'max: 9']],
  [{ minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }, ['max: 9', 'more than: 0']],
  [{ minimum: 1, exclusiveMinimum: 0, exclusiveMaximum: 9 }, ['min: 1', 'more than: 0', 'less than: 9']],
])('shows the limits %j in the form of OpenAPI 3.0 and of 3.1', (schema, expected) => {
  expect(view(schema).limits).toEqual(expected);
});

it.each([
  ['#/components/schemas/Page%3CPet%3E', 'Page<Pet>'],
  ['#/components/schemas/a~1b', 'a/b'],
  ['#/definitions/Pet', 'Pet'],
  ['#/x-docsctl-files/Pet', 'Pet'],
  ['#/components/responses/Pets/content/application~1json/schema', ''],
  ['#/components/schemas/Pet/properties/name', ''],
])('reads from the reference %s the name %j', ($ref, name) => {
  expect(view({ $ref }).title).toBe(name);
});

it('names a schema after itself, not after one of its parts', () => {
  const Pet = { title: 'Animal', properties: {} };
  const Cat = { allOf: [{ $ref: '#/definitions/Pet' }] };
  const viewer = new SchemaViewer({ definitions: { Pet, Cat } });
  expect(viewer.view({ $ref: '#/definitions/Cat' }).title).toBe('Cat');
  expect(viewer.view({ $ref: '#/definitions/Pet' }).title).toBe('Animal');
});

it('names alternatives that only require fields after these fields', () => {
  const variants = [{ required: ['a', 'b'] }, { required: ['c'] }];
  expect(view({ type: 'object', anyOf: variants }).variants.map(({ type }) => type)).toEqual([
    'object with a, b',
    'object with c',
  ]);
});

it('omits the deepest parts if there are too many, and keeps those that belong to each field', () => {
  const leaf = { type: 'string', enum: ['x'] };
  const fields = (value: object) => ({
    properties: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, value])),
  });
  const deep = fields(fields(fields(leaf)));
  const viewer = new SchemaViewer({}, 100);
  const [first, second] = [viewer.outline(deep), viewer.outline({ type: 'array', items: deep })];
  viewer.complete();
  for (const { fields: shown = [] } of [first, second.items ?? first]) expect(shown).toHaveLength(20);
  const inner = [first, second.items ?? first].flatMap((one) =>
    one.fields.map(({ schema }) => schema.fields.length),
  );
  expect(inner.filter((count) => count === 20).length).toBe(3);
  expect(inner.filter((count) => count === 0).length).toBe(37);
  expect(new SchemaViewer({}, 0).view(fields(leaf)).fields[19]?.schema.values).toEqual(['x']);
});

it('names several schemas or null, and lists those that are not null', () => {
  const variants = [{ type: 'string' }, { type: 'integer' }];
  const [required, optional] = [view({ oneOf: variants }), view({ oneOf: [...variants, { type: 'null' }] })];
  expect(optional.type).toBe(`${required.type} or null`);
  for (const { variants: shown } of [required, optional])
    expect(shown.map(({ type }) => type)).toEqual(['string', 'integer']);
});

it('writes values without the quotes of strings', () => {
  const { values, ...shown } = view({ enum: ['a b', 1, null], default: 'a b', example: { b: ['c'] } });
  expect(values).toEqual(['a b', '1', 'null']);
  expect(shown).toMatchObject({ default: 'a b', example: '{"b":["c"]}' });
});

it.each([
  [{ not: { type: 'null' } }, 'not: null'],
  [{ not: { required: ['a', 'b'] } }, 'not: object with a, b'],
  [{ not: { properties: { a: { const: 1 } }, required: ['a'] } }, 'not: object with a = 1'],
  [{ not: { enum: ['a', 'b'] } }, 'not: a or b'],
  [
    { not: { anyOf: [{ required: ['a'] }, { $ref: '#/components/schemas/Pet' }] } },
    'not: object with a or Pet',
  ],
  [{ not: { type: 'string', pattern: '^x' } }, 'not: string, pattern: ^x'],
])('shows what a schema excludes: %j', (schema, expected) => {
  expect(
    new SchemaViewer({ openapi: '3.1.0', components: { schemas: { Pet: {} } } }).view(schema).limits,
  ).toEqual([expected]);
});

describe('a discriminator', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const discriminator = {
    propertyName: 'type',
    mapping: { text: ref('Text').$ref, image: 'Image', no: 'Gone' },
  };
  const Message = { discriminator, properties: { type: { type: 'string' } } };
  const part = (name: string) => ({ allOf: [ref('Message'), { properties: { [name]: {} } }] });
  const schemas = { Message, Text: part('text'), Image: part('url') };
  const viewer = () => new SchemaViewer({ openapi: '3.0.0', components: { schemas } });

  it('has the schemas of its mapping as variants, each with its own value', () => {
    const { variants, discriminator: shown } = viewer().view(ref('Message'));
    expect(shown).toEqual({
      property: 'type',
      mapping: [
        ['text', 'Text'],
        ['image', 'Image'],
        ['no', 'Gone'],
      ],
    });
    expect(
      variants.map((variant) => [variant.title, variant.discriminator?.mapping, variant.fields.length]),
    ).toEqual([
      ['Text', [['text', 'Text']], 2],
      ['Image', [['image', 'Image']], 2],
    ]);
    expect(variants.every((variant) => variant.variants.length === 0)).toBe(true);
  });

  it('of Swagger 2 is the name of a property', () => {
    expect(new SchemaViewer({ swagger: '2.0' }).view({ discriminator: 'type' }).discriminator).toEqual({
      property: 'type',
      mapping: [],
    });
  });
});

it('shows a single variant as the schema itself, with its default', () => {
  const pet = { properties: { name: {} } };
  expect(new SchemaViewer({}).view({ oneOf: [pet] }).fields).toHaveLength(1);
  expect(
    new SchemaViewer({}).view({ anyOf: [{ type: 'string' }, { type: 'null' }], default: 'a' }),
  ).toMatchObject({
    type: 'string or null',
    default: 'a',
  });
});
