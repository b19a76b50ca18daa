import { expect, it } from 'vitest';
import { hunksOf } from '../../src/richtext/diff-hunks.ts';

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);
/** The lines 1 to 40, some of them changed. */
const changed = (...lines: number[]) =>
  numbered.map((text, at) => (lines.includes(at + 1) ? `new ${text}` : text)).join('');
const hunksTo = (text: string) =>
  hunksOf(changed(), text, 3).map(({ before, after, lines }) => [
    before.join(),
    after.join(),
    lines.map(({ sign }) => sign).join(''),
  ]);
const hunks = (...lines: number[]) => hunksTo(changed(...lines));

it('shows the given number of lines around a change, and fewer at the ends of a text', () => {
  expect(hunks()).toEqual([]);
  expect(hunks(20)).toEqual([['17,7', '17,7', '   -+   ']]);
  expect(hunksTo(numbered.toSpliced(20, 0, 'new\n').join(''))).toEqual([['18,6', '18,7', '   +   ']]);
  expect(hunksTo(numbered.toSpliced(20, 1).join(''))).toEqual([['18,7', '18,6', '   -   ']]);
  expect(hunks(1, 40)).toEqual([
    ['1,4', '1,4', '-+   '],
    ['37,4', '37,4', '   -+'],
  ]);
});

it('joins two changes into one hunk if all lines between them are shown', () => {
  expect(hunks(10, 17)).toEqual([['7,14', '7,14', '   -+      -+   ']]);
  expect(hunks(10, 18)).toEqual([
    ['7,7', '7,7', '   -+   '],
    ['15,7', '15,7', '   -+   '],
  ]);
});
