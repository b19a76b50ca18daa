import { Check } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../src/contract/check.ts';
import { checkerOf } from '../../src/contract/compile-check.ts';
import { custom, DateTime, Id, nullable, oneOf, Type, Url, type TSchema } from '../../src/contract/schema.ts';
import { RichDocument } from '../../src/contract/shapes.ts';
import {
  ConversationInput,
  ingestBatch,
  ingestConversations,
} from '../../src/resources/conversations/contract.ts';

/** Names of members that schemas declare. Values can also have other members. */
const declared = ['a', 'b', 'id'];
const names = [...declared, 'constructor', '__proto__', 'other'];

/** Schemas of every kind that occurs in declarations. */
const schemas = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<TSchema>(
      Type.Boolean(),
      Type.Null(),
      Type.Number(),
      Type.Number({ minimum: 0, exclusiveMaximum: 2 }),
      Type.Integer({ minimum: -1, maximum: 3 }),
      Type.Literal('a'),
      Type.Literal(1),
      Type.String(),
      Type.String({ minLength: 1, maxLength: 3, pattern: '^[a-z]*$' }),
      Type.String({ format: 'no such format' }),
      oneOf(['a', 'b']),
      custom('EvenForTest', {}, (value) => value === undefined || Number(value) % 2 === 0),
      DateTime,
      Id,
      Url,
      RichDocument,
    ),
    tie('schema').map((schema) => nullable(schema)),
    fc.tuple(tie('schema'), tie('schema')).map((both) => Type.Union(both)),
    fc
      .tuple(tie('schema'), fc.constantFrom({}, { minItems: 1 }, { maxItems: 2 }, { uniqueItems: true }))
      .map(([items, options]) => Type.Array(items, options)),
    fc
      .tuple(tie('schema'), fc.constantFrom('^a', '.*'))
      .map(([member]) => Type.Record(Type.String(), member)),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...declared), fc.boolean(), tie('schema')), {
          selector: ([name]) => name,
          maxLength: 3,
        }),
        fc.oneof(fc.constantFrom(undefined, true, false), tie('schema')),
        fc.constantFrom({}, { minProperties: 1 }, { maxProperties: 2 }),
      )
      .map(([members, additionalProperties, options]) =>
        Type.Object(
          Object.fromEntries(
            members.map(([name, isOptional, member]) => [name, isOptional ? Type.Optional(member) : member]),
          ),
          additionalProperties === undefined ? options : { additionalProperties, ...options },
        ),
      ),
  ),
})).schema;

/** Values that often match small schemas. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      undefined,
      null,
      true,
      0,
      1,
      2,
      1.5,
      -7,
      Number.NaN,
      '',
      'a',
      'b',
      'abcd',
      'A',
      'https://a.test/',
    ),
    fc.constantFrom('2026-02-24T15:02:39Z', '2026-02-30T15:02:39Z'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Values that differ from a valid value in some parts, or lack them. */
function nearly(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.oneof({ weight: 8, arbitrary: fc.tuple(...value.map(nearly)) }, values);
  if (typeof value !== 'object' || value === null)
    return fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, values);
  const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, nearly(inner)]));
  return fc.oneof(
    { weight: 12, arbitrary: fc.record(members) },
    { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ ...members, extra: values }) },
  );
}

const conversation = {
  id: 'ticket-1',
  subject: 'Card',
  source: 'email',
  metadata: { url: 'https://a.test/', attributes: { plan: 'free' }, createdAt: '2026-02-24T15:02:39Z' },
  parts: [{ type: 'message', role: 'user', body: 'Why was my card declined?' }],
};

describe('a compiled check', () => {
  it('refuses a required member that is undefined, even if its own check accepts it', () => {
    const schema = Type.Object({ a: custom('AnyForTest', {}, () => true) }, { additionalProperties: false });
    for (const [value, isRight] of [
      [{ a: 1 }, true],
      [{ other: 1 }, false],
      [{ a: undefined }, false],
    ] as const)
      expect([checkerOf(schema)(value), Check(schema, value)]).toEqual([isRight, isRight]);
  });

  it('gives the same result as TypeBox for all schemas', () => {
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 8 }), (schema, several) => {
        // Each value is checked twice, because a compiled check caches its parts.
        for (const value of [...several, ...several])
          expect(checkerOf(schema)(value)).toBe(Check(schema, value));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same result as TypeBox for conversations', () => {
    const { body } = ingestBatch;
    fc.assert(
      fc.property(nearly({ conversations: [conversation, conversation] }), (value) => {
        expect(checkerOf(body)(value)).toBe(Check(body, value));
      }),
    );
    fc.assert(
      fc.property(nearly(conversation), (value) => {
        for (const schema of [ConversationInput, ingestConversations.body])
          expect(checkerOf(schema)(value)).toBe(Check(schema, value));
      }),
    );
    expect(checkerOf(ConversationInput)(conversation)).toBe(true);
  });
});
