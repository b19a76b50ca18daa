import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entityTag } from '../../../src/contract/entity-tag.ts';
import { encodeJson, type EncodedJson } from '../../../src/server/threads/encode-json.ts';

const textOf = ({ pieces }: EncodedJson): string => Buffer.concat(pieces).toString();

it('encodeJson returns the text of JSON.stringify', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const page = fc.record({ title: fc.string({ unit: 'binary' }), gone: fc.constant(undefined), tags: value });
  const tree = fc.oneof(
    value,
    fc.record({
      pages: fc.array(fc.record({ value, pages: fc.array(page, { maxLength: 3 }) }), { maxLength: 3 }),
    }),
    fc.record({ list: fc.array(fc.constantFrom(undefined, null, { a: [{}] }, [[]]), { maxLength: 3 }) }),
  );
  fc.assert(
    fc.property(tree, (given) => {
      expect(textOf(encodeJson(given))).toBe(Buffer.from(JSON.stringify(given)).toString());
    }),
    { seed: 4, numRuns: 100 },
  );
});

it('encodeJson cuts long lists, also nested ones, into pieces with buffers of their own', () => {
  const page = { title: 'ü'.repeat(1000), tags: ['a', 'b'] };
  const value = { pages: [{ title: 'Root', pages: Array.from({ length: 2000 }, () => page) }] };
  const encoded = encodeJson(value);
  const { pieces, etag } = encoded;
  expect(etag).toBe(entityTag(JSON.stringify(value)));
  expect(textOf(encoded)).toBe(JSON.stringify(value));
  expect(pieces.length).toBeGreaterThan(6);
  for (const piece of pieces) {
    expect(piece.byteLength).toBeLessThanOrEqual(256 * 1024);
  }
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
});
