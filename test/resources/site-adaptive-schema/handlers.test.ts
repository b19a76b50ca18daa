import { beforeEach, describe, expect, test } from 'vitest';
import {
  getAdaptiveSchema,
  listTemplateConditions,
  updateAdaptiveSchema,
} from '../../../src/resources/site-adaptive-schema/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let params: { siteId: string };
beforeEach(async () => {
  world = await createSitesWorld();
  params = { siteId: await world.site('Docs') };
});

const schemaOf = (properties: unknown) => ({ type: 'object', properties, additionalProperties: false });
const objectOf = (properties: unknown, description = 'text') => ({ ...schemaOf(properties), description });
const flag = { type: 'boolean', description: 'A flag' };
const full = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...schemaOf({
    unsigned: objectOf({ seen: flag }, 'Unsigned claims of the site visitor.'),
    beta: flag,
    plan: { type: 'string', enum: ['free', 'say "hi"'], description: 'Plan' },
    name: { type: 'string', description: 'Name' },
    age: { type: 'number', description: 'Age' },
    products: {
      type: 'array',
      description: 'Products',
      items: { type: 'string', enum: ['a'], description: 'Product' },
    },
    'my account': objectOf({ 'is-owner': flag }),
  }),
};

test('the schema is not found until it is set, then returned as it was sent', async () => {
  expect(await world.refusal(getAdaptiveSchema, params)).toMatchObject({
    reason: 'not-found',
    hint: expect.stringContaining('adaptive-schema update'),
  });
  expect(await world.call(listTemplateConditions, params)).toEqual({ items: [] });
  const set = await world.call(updateAdaptiveSchema, params, { jsonSchema: full });
  expect(set).toMatchObject({ object: 'site-adaptive-schema', jsonSchema: full });
  expect(await world.call(getAdaptiveSchema, params, undefined, undefined, 'read')).toEqual(set);
  const later = await world.call(updateAdaptiveSchema, params, { jsonSchema: schemaOf({}) });
  expect(later.jsonSchema).toEqual(schemaOf({}));
  expect(later.updatedAt > set.updatedAt).toBe(true);
});

test('conditions are suggested for booleans and values of an enum, also in nested claims', async () => {
  await world.call(updateAdaptiveSchema, params, { jsonSchema: full });
  const { items } = await world.call(listTemplateConditions, params, undefined, undefined, 'read');
  expect(items.map(({ condition }) => condition)).toEqual([
    'visitor.claims.unsigned.seen == true',
    'visitor.claims.unsigned.seen == false',
    'visitor.claims.beta == true',
    'visitor.claims.beta == false',
    'visitor.claims.plan == "free"',
    'visitor.claims.plan == "say \\"hi\\""',
    'visitor.claims["my account"]["is-owner"] == true',
    'visitor.claims["my account"]["is-owner"] == false',
  ]);
  expect(items[4]?.description).toBe('Visitors whose plan is free');
  expect(items[6]?.description).toBe('Visitors for whom my account is-owner is true');
});

describe('an invalid schema', () => {
  const claim = (value: unknown) => schemaOf({ x: value });
  const at = '/body/jsonSchema/properties/x';
  let deep: unknown = flag;
  for (let depth = 0; depth < 5; depth++) deep = objectOf({ x: deep });
  test.each<[string, unknown, string]>([
    ['a value that is not an object', 'text', '/body/jsonSchema'],
    ['no properties', { type: 'object', additionalProperties: false }, '/body/jsonSchema/properties'],
    ['open', { ...schemaOf({}), additionalProperties: true }, '/body/jsonSchema/additionalProperties'],
    [
      'another draft of JSON Schema',
      { ...schemaOf({}), $schema: 'http://json-schema.org/draft-04/schema#' },
      '/body/jsonSchema/$schema',
    ],
    ['other keywords', { ...schemaOf({}), required: [] }, '/body/jsonSchema/required'],
    ['a claim that is not an object', claim('boolean'), at],
    ['no type', claim({ description: 'x' }), `${at}/type`],
    ['other types', claim({ type: 'null', description: 'x' }), `${at}/type`],
    ['no description', claim({ type: 'boolean' }), `${at}/description`],
    ['a long description', claim({ type: 'boolean', description: 'x'.repeat(1025) }), `${at}/description`],
    ['patterns', claim({ type: 'string', description: 'x', pattern: '(a+)+$' }), `${at}/pattern`],
    ['an enum of numbers', claim({ type: 'string', description: 'x', enum: ['a', 1] }), `${at}/enum/1`],
    ['an empty enum', claim({ type: 'string', description: 'x', enum: [] }), `${at}/enum`],
    ['a duplicate value', claim({ type: 'string', description: 'x', enum: ['a', 'a'] }), `${at}/enum`],
    ['an enum of a boolean', claim({ ...flag, enum: ['a'] }), `${at}/enum`],
    ['no items', claim({ type: 'array', description: 'x' }), `${at}/items`],
    [
      'lists of lists',
      claim({ type: 'array', description: 'x', items: { type: 'array', description: 'x', items: flag } }),
      `${at}/items/items`,
    ],
    [
      'an open object',
      claim({ type: 'object', description: 'x', properties: {} }),
      `${at}/additionalProperties`,
    ],
    [
      'an object without properties',
      claim({ type: 'object', description: 'x', additionalProperties: false }),
      `${at}/properties`,
    ],
    [
      'unsigned with another description',
      schemaOf({ unsigned: objectOf({}) }),
      '/body/jsonSchema/properties/unsigned/description',
    ],
    [
      'unsigned that is not an object',
      schemaOf({ unsigned: { type: 'boolean', description: 'Unsigned claims of the site visitor.' } }),
      '/body/jsonSchema/properties/unsigned/type',
    ],
    [
      'a reserved name',
      JSON.parse(
        `{"type":"object","additionalProperties":false,"properties":{"__proto__":${JSON.stringify(flag)}}}`,
      ),
      '/body/jsonSchema/properties/__proto__',
    ],
    [
      'a name that is too long',
      schemaOf({ ['n'.repeat(101)]: flag }),
      `/body/jsonSchema/properties/${'n'.repeat(100)}`,
    ],
    ['too deep', claim(deep), `${at}${'/properties/x'.repeat(4)}/properties`],
    [
      'too many',
      schemaOf(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`c${index}`, flag]))),
      '/body/jsonSchema/properties',
    ],
  ])('is refused with the path of the error: %s', async (_, jsonSchema, path) => {
    const { reason, paths } = await world.refusal(updateAdaptiveSchema, params, { jsonSchema });
    expect({ reason, paths }).toMatchObject({
      reason: 'invalid-input',
      paths: expect.arrayContaining([path]),
    });
    expect(await world.refusal(getAdaptiveSchema, params)).toMatchObject({ reason: 'not-found' });
  });
});

test('at most ten errors are listed', async () => {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`c${index}`, {}]));
  expect(
    (await world.refusal(updateAdaptiveSchema, params, { jsonSchema: schemaOf(properties) })).paths,
  ).toHaveLength(10);
});

test('the schema can be read by every role but guests, and set only by administrators', async () => {
  for (const who of ['create', 'read'] as const)
    expect(
      await world.refusal(updateAdaptiveSchema, params, { jsonSchema: full }, undefined, who),
    ).toMatchObject({ reason: 'forbidden' });
  for (const operation of [getAdaptiveSchema, listTemplateConditions]) {
    expect(await world.refusal(operation, params, undefined, undefined, 'guest')).toMatchObject({
      reason: 'not-found',
    });
    expect(await world.refusal(operation, params, undefined, undefined, 'outsider')).toMatchObject({
      reason: 'not-found',
    });
  }
});
