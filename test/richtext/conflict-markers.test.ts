import { describe, expect, it } from 'vitest';
import { hasMarkers, mergeWithMarkers } from '../../src/richtext/conflict-markers.ts';

const labels = { ours: 'change request 7', theirs: 'Guide' };
const merge = (base: string, ours: string, theirs: string) =>
  mergeWithMarkers({ base, ours, theirs }, labels);

describe('a merge with markers', () => {
  it('has both sides of a conflict between markers, and all else merged', () => {
    const text = merge('a\n\nb\n\nc\n', 'a\n\nours\n\nc\n', 'A\n\ntheirs\n\nc\n');
    expect(text).toContain('<<<<<<< change request 7\nours\n=======\ntheirs\n>>>>>>> Guide\n');
    expect(text.endsWith('c\n')).toBe(true);
    expect(hasMarkers(text, labels)).toBe(true);
  });

  it('is without markers where nothing conflicts', () => {
    const text = merge('a\n\nb\n', 'a\n\nours\n', 'a\n\nb\n');
    expect(text).toBe('a\n\nours\n');
    expect(hasMarkers(text, labels)).toBe(false);
  });

  it('has each marker on a line of its own, with the line ends of the text', () => {
    for (const end of ['\n', '\r\n']) {
      const lines = (last: string) => ['a', last].join(end);
      const text = merge(lines('b'), lines('ours'), lines('theirs'));
      expect(text.split(end)).toEqual([
        'a',
        '<<<<<<< change request 7',
        'ours',
        '=======',
        'theirs',
        '>>>>>>> Guide',
        '',
      ]);
    }
  });

  it('has nothing between markers where a side deleted the lines', () => {
    expect(merge('a\nb\n', 'a\n', 'a\ntheirs\n')).toBe(
      'a\n<<<<<<< change request 7\n=======\ntheirs\n>>>>>>> Guide\n',
    );
  });
});

it.each([
  ['<<<<<<< change request 7', true],
  ['>>>>>>> Guide', true],
  ['a\r\n>>>>>>> Guide\r\n', true],
  ['=======', false],
  ['<<<<<<< change request 70', false],
  ['see <<<<<<< change request 7', false],
])('whether %j has a marker', (text, has) => expect(hasMarkers(text, labels)).toBe(has));
