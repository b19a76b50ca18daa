import { describe, expect, it } from 'vitest';
import { shareSchemas } from '../../../src/cli/manifest/share-schemas.ts';

/** Returns a schema whose JSON has the given number of characters. */
function schemaOf(characters: number, kind = 'object'): { type: string; title: string } {
  const short = { type: kind, title: '' };
  return { ...short, title: 'x'.repeat(characters - JSON.stringify(short).length) };
}
const manifest = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

describe('shareSchemas', () => {
  it('writes a schema that occurs twice once if it has at least 45 characters, named by its first field', () => {
    const long = schemaOf(45);
    const short = schemaOf(44);
    const before = manifest({ one: long, other: long, few: short, same: short });
    const after = shareSchemas(before) as { $defs: object; properties: object };
    expect(after.$defs).toEqual({ one: long });
    expect(after.properties).toEqual({ one: ref('one'), other: ref('one'), few: short, same: short });
    expect(before.properties).toEqual({ one: long, other: long, few: short, same: short });
  });

  it('shares outer schemas with their inner schemas', () => {
    const inner = schemaOf(90);
    const outer = manifest({ inner });
    expect(shareSchemas(manifest({ a: outer, b: outer }))).toEqual({
      ...manifest({ a: ref('a'), b: ref('a') }),
      $defs: { a: outer },
    });
    expect(shareSchemas(manifest({ a: outer, b: outer, inner }))).toEqual({
      ...manifest({ a: ref('a'), b: ref('a'), inner: ref('inner') }),
      $defs: { a: manifest({ inner: ref('inner') }), inner },
    });
  });

  it('chooses another name if the name is in use, and removes special characters', () => {
    const [one, other] = [schemaOf(80), schemaOf(80, 'array')];
    const after = shareSchemas(
      manifest({ a: one, b: { items: one, properties: { a: other } }, c: other }, { $defs: { a2: {} } }),
    ) as { $defs: object };
    expect(Object.keys(after.$defs)).toEqual(['a2', 'a', 'a3']);
    expect(shareSchemas(manifest({ 'a b': one, c: one }))).toHaveProperty('$defs.manifest');
    expect(shareSchemas(manifest({ 'a-b': one, c: one }))).toHaveProperty('$defs.ab');
  });
});

it('shareSchemas moves a schema of more than 500 characters to the definitions even if it occurs once', () => {
  expect(shareSchemas(manifest({ a: schemaOf(500) }))).toEqual({
    ...manifest({ a: schemaOf(500) }),
    $defs: {},
  });
  expect(shareSchemas(manifest({ a: schemaOf(501) }))).toEqual({
    ...manifest({ a: ref('a') }),
    $defs: { a: schemaOf(501) },
  });
});

it('shareSchemas does not treat lists and maps of fields as schemas', () => {
  const long = { ['x'.repeat(80)]: { type: 'string' } };
  const before = manifest({
    a: { properties: long },
    b: { patternProperties: long, enum: [[long], [long]] },
  });
  expect((shareSchemas(before) as { properties: object }).properties).toMatchObject({
    a: { properties: long },
    b: { patternProperties: long },
  });
});
