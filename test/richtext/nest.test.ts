import { describe, expect, it } from 'vitest';
import { maxDepth } from '../../src/richtext/guard.ts';
import { nest, type Nested, type Part } from '../../src/richtext/nest.ts';

/** `(` and `)` open and close one name, `[` and `]` another. Any other letter is text. */
const parts = (text: string): Part<string>[] =>
  [...text].map((item) => {
    if (item === '(' || item === '[') return { item, opens: item };
    if (item === ')' || item === ']') return { item, closes: item === ')' ? '(' : '[' };
    return { item };
  });
const write = (nested: readonly Nested<string>[]): string =>
  nested
    .map((each) => ('item' in each ? each.item : `<${each.open}${write(each.inner)}${each.close}>`))
    .join('');

describe('nesting pairs', () => {
  it.each([
    ['ab', 'ab'],
    ['(a)b', '<(a)>b'],
    ['((a)b)', '<(<(a)>b)>'],
    [')a(', ')a('],
    ['([a)]', '<([a)>]'],
    ['(a(b)', '(a<(b)>'],
    ['[(a])', '<[(a]>)'],
  ])('nests the pairs of %s as %s', (text, nested) => expect(write(nest(parts(text)))).toBe(nested));

  it('allows at most 100 levels', () => {
    const deep = (depth: number) => parts('('.repeat(depth) + ')'.repeat(depth));
    expect(maxDepth).toBe(100);
    expect(write(nest(deep(100)))).toBe('<('.repeat(100) + ')>'.repeat(100));
    expect(() => nest(deep(101))).toThrow(
      'The text has quotes, lists, tags or marks more than 100 levels deep.',
    );
  });

  it('counts the depth of pairs inside an unclosed part', () => {
    const inner = (depth: number) => `[${'('.repeat(depth)}${')'.repeat(depth)}`;
    expect(() => nest(parts(`(${inner(99)})`))).not.toThrow();
    expect(() => nest(parts(`(${inner(100)})`))).toThrow('100 levels');
    expect(() => nest(parts(`(${'a'.repeat(300)})`))).not.toThrow();
  });
});
