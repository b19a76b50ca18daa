import { describe, expect, it } from 'vitest';
import {
  decodeHtml,
  encodeText,
  lengthOf,
  openTag,
  readTag,
  textOfLength,
  tokenizeHtml,
  trimHtml,
} from '../../src/richtext/html.ts';

describe('HTML tokens', () => {
  it('separate text from tags and comments', () => {
    const html = 'a<b>c</b><!-- <i> --><br>1 < 2 <x<y/> <!-- open';
    const tokens = tokenizeHtml(html);
    expect(tokens.map(({ kind, raw }) => [kind, raw])).toEqual([
      ['text', 'a'],
      ['open', '<b>'],
      ['text', 'c'],
      ['close', '</b>'],
      ['comment', '<!-- <i> -->'],
      ['open', '<br>'],
      ['text', '1 < 2 <x'],
      ['open', '<y/>'],
      ['text', ' <!-- open'],
    ]);
    expect(tokens.map(({ raw }) => raw).join('')).toBe(html);
  });

  it('end a comment only after its first four characters', () => {
    expect(tokenizeHtml('<!--->a-->').map(({ kind }) => kind)).toEqual(['comment']);
    expect(tokenizeHtml('<!---->').map(({ raw }) => raw)).toEqual(['<!---->']);
  });

  it('can be trimmed of the spaces at both ends only', () => {
    const trimmed = (html: string) => trimHtml(tokenizeHtml(html)).map(({ raw }) => raw);
    expect(trimmed(' \n a <b> c </b> d \t')).toEqual(['a ', '<b>', ' c ', '</b>', ' d']);
    expect(trimmed(' <b> ')).toEqual(['<b>']);
    expect(trimmed('  ')).toEqual([]);
  });
});

describe('an HTML tag', () => {
  it('keeps the first attribute of each name', () => {
    expect(readTag(`x<A Href='1' b="2" c=3 d href=4>`, 1)).toEqual({
      kind: 'open',
      raw: `<A Href='1' b="2" c=3 d href=4>`,
      name: 'a',
      attributes: { href: '1', b: '2', c: '3', d: '' },
      isVoid: false,
    });
    expect(readTag('</A >')).toEqual({ kind: 'close', raw: '</A >', name: 'a' });
    expect(readTag('<a b="&lt;&#65;">')).toMatchObject({ attributes: { b: '<A' } });
    expect(readTag('<a/>')).toMatchObject({ isVoid: true });
    expect(readTag('<img>')).toMatchObject({ isVoid: true });
  });

  it.each(['<1>', '<a', '<a b="c>', '< a>', 'a'])('is not read from %s', (html) =>
    expect(readTag(html)).toBeUndefined(),
  );

  it('is written with its attributes, and without undefined or invalid ones', () => {
    expect(
      openTag('a', { href: '', title: '', id: 'x"<&>\n', n: 1, none: undefined, 'a b': 'c' }, ['href']),
    ).toBe('<a href="" title id="x&quot;&lt;&amp;&gt;&#10;" n="1">');
    expect(openTag('b')).toBe('<b>');
  });
});

describe('HTML character references', () => {
  it.each([
    ['&amp;&lt;&gt;&quot;&apos;&nbsp;', '&<>"\'\u00A0'],
    ['&#65;&#x41;&#X41;', 'AAA'],
    ['&copy; &AMP; &toString;', '&copy; &AMP; &toString;'],
    ['&#0;', '\uFFFD'],
    ['&#1;', '\u0001'],
    ['&#xD7FF;&#xD800;&#xDFFF;&#xE000;', '\uD7FF\uFFFD\uFFFD\uE000'],
    ['&#x10FFFF;&#x110000;', '\u{10FFFF}\uFFFD'],
    ['&#12345678;', '&#12345678;'],
  ])('are decoded in %s', (html, text) => expect(decodeHtml(html)).toBe(text));

  it('are written where characters would become a formula, a tag or collapsed whitespace', () => {
    expect(encodeText('a & <b>  c $$ d $ e\nf\t')).toBe('a &amp; &lt;b&gt;&#32; c &#36;$ d $ e<br>f&#9;');
  });
});

describe('an HTML width', () => {
  it.each([
    ['12', 12],
    ['12.5', 12.5],
    ['12%', { value: 12, unit: '%' }],
    ['1.5em', { value: 1.5, unit: 'em' }],
    ['012', '012'],
    ['1.50', '1.50'],
    ['1234567', '1234567'],
    ['12pixel', '12pixel'],
    ['auto', 'auto'],
  ])('of %s is read and written back', (text, length) => {
    expect(lengthOf(text)).toEqual(length);
    expect(textOfLength(length)).toBe(text);
  });

  it('is undefined for any other value', () => {
    expect([null, undefined, true, {}, { value: '1', unit: 'em' }, { value: 1 }].map(textOfLength)).toEqual(
      Array.from({ length: 6 }),
    );
  });
});
