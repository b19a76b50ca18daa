import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDepth } from '../../src/contract/limits.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const tooDeep = expect.objectContaining({
  reason: 'invalid-input',
  message: expect.stringContaining('levels deep'),
});

describe('checkDepth', () => {
  it('agrees with a recursive count for any JSON, including strings with brackets, quotes and backslashes', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', '\n', 'é') });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        text,
        fc.integer(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const depth = depthOf(value);
        const json = JSON.stringify(value, undefined, indent);
        checkDepth(json, { depth });
        if (depth > 0) expect(() => checkDepth(json, { depth: depth - 1 })).toThrow(tooDeep);
      }),
    );
  });

  it('accepts 64 levels and rejects more', () => {
    checkDepth('['.repeat(64));
    expect(() => checkDepth('[{'.repeat(33))).toThrow(tooDeep);
  });

  it('does not subtract unbalanced closing brackets', () => {
    expect(() => checkDepth(`${']'.repeat(100)}${'['.repeat(65)}`)).toThrow(tooDeep);
  });

  it('limits the number of values', () => {
    checkDepth('[1,2,3]', { nodes: 3 });
    expect(() => checkDepth('[1,2,3]', { nodes: 2 })).toThrow(
      expect.objectContaining({ message: 'The JSON contains more than 2 values.' }),
    );
    expect(() => checkDepth('[{},{}]', { nodes: 3 })).toThrow(
      expect.objectContaining({ reason: 'invalid-input' }),
    );
    checkDepth('"a,b,c,[,{"', { nodes: 0 });
  });

  it('accepts a string that is not terminated', () => {
    checkDepth('["\\"[[[[', { depth: 1 });
    checkDepth('"\\', { depth: 1 });
  });
});

it('checkDepth accepts a million values and rejects more', () => {
  checkDepth(`[${','.repeat(999_999)}`);
  expect(() => checkDepth(`[${','.repeat(1_000_000)}`)).toThrow(
    expect.objectContaining({ message: 'The JSON contains more than 1000000 values.' }),
  );
});
