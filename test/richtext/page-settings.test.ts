import { expect, it } from 'vitest';
import { mayHaveSettings, readPageSettings } from '../../src/richtext/page-settings.ts';

const read = (fields: object) => readPageSettings(new Map(Object.entries(fields)));
const many = (length: number) => 'x'.repeat(length);

it.each<[string, object, object]>([
  ['nothing', {}, {}],
  ['nothing from values of another type', { layout: 1, cover: 2, vars: [3], metaLinks: 'a', tags: 'b' }, {}],
  ['a layout that differs from the default', { layout: { width: 'wide' } }, { layout: { width: 'wide' } }],
  ['nothing from an unknown layout', { layout: { width: 'narrow', title: { visible: 'no' } } }, {}],
  ['hidden parts', { layout: { title: { visible: false } } }, { layout: { title: false } }],
  ['nothing from parts that are shown by default', { layout: { title: { visible: true } } }, {}],
  ['a cover', { cover: ' a.png ', coverY: 12.5 }, { cover: { ref: 'a.png', yPos: 12.5 } }],
  ['the height of a cover', { cover: 'a', coverHeight: 10 }, { cover: { ref: 'a', height: 10 } }],
  ['the largest height of a cover', { cover: 'a', coverHeight: 700 }, { cover: { ref: 'a', height: 700 } }],
  ['no height that is too small', { cover: 'a', coverHeight: 9.9 }, { cover: { ref: 'a' } }],
  ['no height that is too large', { cover: 'a', coverHeight: 700.1 }, { cover: { ref: 'a' } }],
  [
    'a cover for each theme',
    { cover: { light: 'a.png', dark: 'b.png' } },
    { cover: { ref: 'a.png', refDark: 'b.png' } },
  ],
  ['nothing from an address of more than 2,048 characters', { cover: many(2049) }, {}],
  ['an address of 2,048 characters', { cover: many(2048) }, { cover: { ref: many(2048) } }],
  ['nothing from a blank address', { cover: '  ' }, {}],
  ['nothing from an infinite number', { cover: 'a', coverY: Infinity }, { cover: { ref: 'a' } }],
  [
    'variables',
    { vars: { a: 'x', b: 0, c: false, d: null, e: [], f: Number.NaN, __proto__: null } },
    { variables: { a: 'x', b: 0, c: false } },
  ],
  ['a variable of 256 characters', { vars: { a: many(256) } }, { variables: { a: many(256) } }],
  ['nothing from a variable of 257 characters', { vars: { a: many(257) } }, {}],
  [
    'links',
    { metaLinks: { canonical: 'https://a.test', alternates: ['https://b.test', 1] } },
    { metaLinks: { canonical: 'https://a.test', alternates: ['https://b.test'] } },
  ],
  [
    'tags with a primary tag',
    {
      tags: ['a', { tag: 'b', primary: true }, { tag: 'c', primary: false }, { tag: 'd', primary: 'yes' }, 1],
    },
    { tags: [{ tag: 'a' }, { tag: 'b', primary: true }, { tag: 'c' }, { tag: 'd' }] },
  ],
])('reads %s', (_name, fields, settings) => {
  expect(read(fields)).toEqual(settings);
});

it.each([
  ['layout:', true],
  ['a: b\n"tags" : [x]', true],
  ['coverY: 1', true],
  ['coverHeight: 1', true],
  ['covers: 1', false],
  ['title: layout', false],
  ['a:\n  vars: 1', false],
])('detects whether %j may contain settings: %s', (text, expected) => {
  expect(mayHaveSettings(text)).toBe(expected);
});
