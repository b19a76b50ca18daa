import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateKeys, findJsonOffset } from '../../src/specification/json-offset.ts';
import { parseSource } from '../../src/specification/parse-source.ts';

/** Every path into a value, with the value at this path. */
function waysInto(
  value: unknown,
  pointer: readonly string[] = [],
): { pointer: readonly string[]; value: unknown; isItem: boolean }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { pointer: [...pointer, key], value: inner, isItem: Array.isArray(value) },
    ...waysInto(inner, [...pointer, key]),
  ]);
}

describe('the position in a JSON text', () => {
  it('points to a key, or to an item of a list', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\n`;
        for (const { pointer, value: inner, isItem } of waysInto(value)) {
          const rest = text.slice(findJsonOffset(text, pointer));
          const expected = JSON.stringify(isItem ? inner : pointer.at(-1));
          if (typeof inner === 'object' && inner !== null && isItem) expect(rest[0]).toBe(expected[0]);
          else expect(rest.startsWith(expected)).toBe(true);
        }
      }),
    );
  });

  it('points to the last of equal keys, to escaped keys, or to the nearest existing parent', () => {
    expect(findJsonOffset('{"a":1,"a":2}', ['a'])).toBe(7);
    expect(findJsonOffset('{"\\u0061": [1, "]\\"", {"b":1}]}', ['a', '2', 'b'])).toBe(23);
    expect(findJsonOffset('{"a": {"b": 1}}', ['a', 'c', 'd'])).toBe(1);
    expect(findJsonOffset('[]', ['0'])).toBe(0);
  });

  it('is reported for exactly the duplicate keys of objects', () => {
    const key = fc.constantFrom('a', 'b', '"', '\\', '__proto__', '{', ':');
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        key,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => ({ entries })),
      ),
    }));
    // The JSON text, and its duplicate keys in the order in which they occur.
    const again: string[] = [];
    const write = (node: unknown): string => {
      if (typeof node === 'string') return JSON.stringify(node);
      if (Array.isArray(node)) return `[ ${node.map(write).join(',')}]`;
      const seen = new Set<string>();
      const parts = (node as { entries: [string, unknown][] }).entries.map(([name, value]) => {
        if (seen.has(name)) again.push(name);
        seen.add(name);
        return `${JSON.stringify(name)} : ${write(value)}`;
      });
      return `{${parts.join(' ,')} }`;
    };
    fc.assert(
      fc.property(tree, (node) => {
        again.length = 0;
        const text = write(node);
        const found = findDuplicateKeys(text);
        expect(found.map((one) => one.key)).toEqual(again);
        for (const { key: name, offset, first } of found)
          for (const at of [first, offset]) expect(text.startsWith(JSON.stringify(name), at)).toBe(true);
      }),
    );
  });

  it('is converted to line and column', () => {
    const source = parseSource('{\n  "a": 1,\n  "b": [\n    2, 3]\n}');
    if ('errors' in source) throw new Error('not read');
    expect([source.locate([]), source.locate(['b']), source.locate(['b', '1'])]).toEqual([
      { line: 1, column: 1 },
      { line: 3, column: 3 },
      { line: 4, column: 8 },
    ]);
  });
});
