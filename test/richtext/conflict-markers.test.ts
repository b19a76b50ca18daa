import { describe, expect, it } from 'vitest';
import { hasMarkers, mergeWithMarkers } from '../../src/richtext/conflict-markers.ts';

const labels = { ours: 'change request 7', theirs: 'Guide' };
const merge = (base: string, ours: string, theirs: string) =>
  mergeWithMarkers({ base, ours, theirs }, labels);

describe('merging texts with conflict markers', () => {
  it('puts both sides of a conflict between markers, and merges the rest', () => {
    const text = merge('a\n\nb\n\nc\n', 'a\n\nours\n\nc\n', 'A\n\ntheirs\n\nc\n');
    expect(text).toContain('<<<<<<< change request 7\nours\n=======\ntheirs\n>>>>>>> Guide\n');
    expect(text.endsWith('c\n')).toBe(true);
    expect(hasMarkers(text, labels)).toBe(true);
  });

  it('writes no markers without a conflict', () => {
    const text = merge('a\n\nb\n', 'a\n\nours\n', 'a\n\nb\n');
    expect(text).toBe('a\n\nours\n');
    expect(hasMarkers(text, labels)).toBe(false);
  });

  it('puts each marker on its own line, with the line endings of the text', () => {
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

  it('leaves a side empty between markers if it deleted the lines', () => {
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
])('detects whether %j contains a marker', (text, has) => expect(hasMarkers(text, labels)).toBe(has));
