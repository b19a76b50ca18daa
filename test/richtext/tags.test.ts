import { describe, expect, it } from 'vitest';
import { attributesOf, isTagName, splitTagLine, writeTag } from '../../src/richtext/tags.ts';

describe('splitTagLine', () => {
  const split = (line: string) =>
    splitTagLine(line).map((part) => (typeof part === 'string' ? part : part.raw));
  it.each([
    ['{% hint %} a {% endhint %}', ['{% hint %}', ' a ', '{% endhint %}']],
    ['{% if a["%}"] %}x', ['{% if a["%}"] %}', 'x']],
    ['{% if "\\"%}" %}x', ['{% if "\\"%}" %}', 'x']],
    ['{% if " {% hint %}', ['{% if " {% hint %}']],
    ['a {% hint', ['a {% hint']],
    ['  ', []],
  ])('splits %s', (line, parts) => expect(split(line)).toEqual(parts));

  it('returns the name and argument of each tag, and whether it closes a block', () => {
    expect(splitTagLine('{% endhint %}{% endless a %}{% tab  title="a" %}')).toEqual([
      { name: 'hint', isClosing: true, argument: '', raw: '{% endhint %}' },
      { name: 'endless', isClosing: false, argument: 'a', raw: '{% endless a %}' },
      { name: 'tab', isClosing: false, argument: 'title="a"', raw: '{% tab  title="a" %}' },
    ]);
  });

  it.each([
    ['hint', true],
    ['endhint', true],
    ['include', true],
    ['endinclude', false],
    ['@mermaid/diagram', true],
    ['@mermaid', false],
    ['end', false],
    ['constructor', false],
  ])('determines whether %s is the tag of a block: %s', (name, is) => expect(isTagName(name)).toBe(is));
});

describe('attributes of a tag', () => {
  it.each<[string, object | undefined]>([
    ['a="b" c=d', { a: 'b', c: 'd' }],
    ['"x" a = "y"', { '': 'x', a: 'y' }],
    ['a="\\"b\\\\c\\n"', { a: '"b\\c\\n' }],
    ['a="Objective\\_C \\(2.x\\) \\d"', { a: 'Objective_C (2.x) \\d' }],
    ['a="1" a="2"', undefined],
    ['a="', undefined],
    ['a=b=c', undefined],
    ['', {}],
  ])('are read from %s, or refused', (argument, attributes) =>
    expect(attributesOf(argument)).toEqual(attributes),
  );

  it('can have at most 20,000 characters', () => {
    const argument = (length: number) => `a="${'b'.repeat(length - 4)}"`;
    expect(attributesOf(argument(20_000))).toEqual({ a: 'b'.repeat(19_996) });
    expect(attributesOf(argument(20_001))).toBeUndefined();
  });

  it('are written on one line', () => {
    const attributes = { '': 'x', a: 'b \n c "d" \\', e: 1, f: false, g: null, h: [] };
    const tag = writeTag('hint', attributes);
    expect(tag).toBe('{% hint "x" a="b c \\"d\\" \\\\" e="1" f="false" %}');
    expect(attributesOf(tag.slice('{% hint'.length, -2).trim())).toEqual({
      '': 'x',
      a: 'b c "d" \\',
      e: '1',
      f: 'false',
    });
  });

  it.each(['\\(', 'a\\_b', '\\\\(', '\\', '\\"', 'C:\\a'])('keep backslashes: %s', (value) => {
    const tag = writeTag('hint', { a: value });
    expect(attributesOf(tag.slice('{% hint'.length, -2).trim())).toEqual({ a: value });
  });
});
