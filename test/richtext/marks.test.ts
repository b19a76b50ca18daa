import { describe, expect, it } from 'vitest';
import {
  colorOf,
  joinLeaves,
  markOrder,
  markTags,
  sortMarks,
  styleOf,
  tagMarks,
} from '../../src/richtext/marks.ts';

describe('text marks', () => {
  it('are sorted, without duplicates', () => {
    expect(sortMarks(['code', undefined, 'bold', 'color', 'bold'])).toEqual(['color', 'bold', 'code']);
  });

  it('have HTML tags that are read as the same mark', () => {
    expect(Object.keys(markTags).sort()).toEqual([...markOrder].sort());
    for (const mark of markOrder) if (mark !== 'color') expect(tagMarks[markTags[mark]]).toBe(mark);
  });

  it('are joined if they are equal, including colors and HTML', () => {
    const red = { text: 'red', background: 'default' };
    expect(
      joinLeaves([
        { text: 'a', marks: ['bold'] },
        { text: '', marks: ['italic'] },
        { text: 'b', marks: ['bold'], color: red },
        { text: 'c', marks: ['color'], color: red },
        { text: 'd', marks: ['color'], color: { ...red } },
        { text: 'e', marks: ['color'], color: { text: 'red', background: 'blue' } },
        { text: 'f', marks: [], html: true },
        { text: 'g', marks: [], html: false },
        { text: 'h', marks: [] },
      ]).map(({ text }) => text),
    ).toEqual(['ab', 'cd', 'e', 'f', 'gh']);
  });
});

describe('colors', () => {
  it.each([
    ['color:red', { text: 'red', background: 'default' }],
    ['background-color: $primary; color:#fff;', { text: '#fff', background: '$primary' }],
    ['color:default', undefined],
    ['color:red;margin:0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are read from the style %j, or ignored', (style, color) => expect(colorOf(style)).toEqual(color));

  it('are written without defaults, and cannot add other CSS rules', () => {
    expect(styleOf({ text: 'red', background: 'blue' })).toBe('color:red;background-color:blue;');
    expect(styleOf({ text: 'default', background: 'blue' })).toBe('background-color:blue;');
    expect(styleOf({ text: 'red;margin:0', background: 'default' })).toBe('');
    expect(styleOf(undefined)).toBe('');
  });
});
