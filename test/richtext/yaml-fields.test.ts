import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/richtext/yaml.ts';
import { setYamlFields, type YamlChange } from '../../src/richtext/yaml-fields.ts';

const text = `# why
title:   "Alpha"   # kept
layout:
    cover:
        visible: true
        size: hero # big
    unknown: { a: 1 }

# about the tags
tags:
- beta
- {tag: new,   primary: true}
links: >-
  https://example.com/a
last: 'x'
`;
const set = (...changes: YamlChange[]): string => setYamlFields(text, changes);

describe('setYamlFields', () => {
  it('sets a field without changing other lines', () => {
    expect(set([['last'], 'y'])).toBe(text.replace("last: 'x'", "last: 'y'"));
    expect(set([['title'], 'Beta'])).toBe(text.replace('title:   "Alpha"   # kept', 'title: "Beta" # kept'));
    expect(set([['new'], 3])).toBe(`${text}new: 3\n`);
    expect(setYamlFields('a: 1', [[['b'], true]])).toBe('a: 1\nb: true\n');
    expect(setYamlFields('', [[['a', 'b'], 1]])).toBe('a:\n  b: 1\n');
    expect(setYamlFields('# only this\n', [[['a'], 1]])).toBe('# only this\na: 1\n');
  });

  it('sets fields of maps, and keeps their unknown fields and comments', () => {
    const written = set([['layout', 'cover', 'size'], 'full'], [['layout', 'title', 'visible'], false]);
    expect(written).toBe(
      text.replace(
        /layout:[^#]*# big\n.*\n/,
        'layout:\n  cover:\n    visible: true\n    size: full # big\n  unknown: { a: 1 }\n  title:\n    visible: false\n',
      ),
    );
    expect(parseYaml(setYamlFields('layout: wide\n', [[['layout', 'width'], 'wide']]), 'It')).toEqual({
      layout: { width: 'wide' },
    });
  });

  it('writes lists in the style they have', () => {
    expect(set([['tags'], ['beta', { tag: 'b', primary: true }]])).toBe(
      text.replace('- {tag: new,   primary: true}', '- tag: b\n  primary: true'),
    );
    expect(setYamlFields('tags:\n  - a\n', [[['tags'], ['b']]])).toBe('tags:\n  - b\n');
  });

  it('removes a field with maps that become empty, but keeps the comments of other fields', () => {
    expect(set([['links'], undefined])).toBe(text.replace('links: >-\n  https://example.com/a\n', ''));
    expect(set([['layout'], undefined])).toContain('# kept\n\n# about the tags\ntags:\n');
    expect(setYamlFields('a:\n  b:\n    c: 1\n', [[['a', 'b', 'c'], undefined]])).toBe('');
    expect(setYamlFields('a: 1\n', [[['b'], undefined]])).toBe('a: 1\n');
    expect(setYamlFields('{a: 1, b: 2}', [[['a'], undefined]])).toBe('{ b: 2 }\n');
    expect(setYamlFields('{a: 1}', [[['a'], undefined]])).toBe('');
  });

  it('writes any value so that the same value is read', () => {
    const values = [
      '',
      ' x',
      'a: b',
      '# no',
      '- 1',
      '1',
      'true',
      'null',
      'a\nb',
      '"q"',
      "'",
      '{%',
      '\u{1F41D}',
    ];
    for (const value of values)
      for (const start of ['', 'a: 1\n', 'a: "x"\nb: 2\n', "a: 'x'\n", 'a: |\n  x\nb: 1\n'])
        expect(parseYaml(setYamlFields(start, [[['a'], value]]), 'It')).toMatchObject({ a: value });
  });
});
