import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf, checkXml, childrenOf, readXml, textOf } from '../../src/saml/xml.ts';

const limits = { maxBytes: 100_000, maxElements: 1000, maxAttributes: 2000, strict: false };
const strict = { ...limits, strict: true };

describe('XML', () => {
  it('is read without prefixes, with the five entities, and with unchanged text', () => {
    const root = readXml(
      '<?xml version="1.0"?><a:x xmlns:a="u" n="&lt;&quot;1&amp;lt;"><!-- c --><b>007</b><a:b q="1"> &amp; </a:b></a:x>',
      limits,
    );
    const [x] = childrenOf(root, 'x');
    expect(attributesOf(x!)).toMatchObject({ n: '<"1&lt;', 'xmlns:a': 'u' });
    expect(childrenOf(x!, 'b').map(textOf)).toEqual(['007', '&']);
    expect([childrenOf(x!, 'constructor'), attributesOf(x!)['toString'], textOf(x!)]).toEqual([
      [],
      undefined,
      '',
    ]);
  });

  it('can have tags of at most 16,384 characters', () => {
    const tag = (length: number) => `<a ${' '.repeat(length - 5)}/>`;
    expect(() => readXml(tag(16_384), limits)).not.toThrow();
    expect(() => readXml(tag(16_385), limits)).toThrow('well-formed at line 1, column 1');
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE a><a/>', 'DOCTYPE'],
    ['entities', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'DOCTYPE'],
    ['a DOCTYPE in small letters', '<!doctype a><a/>', 'DOCTYPE'],
    ['an entity alone', '<!ENTITY x "y"><a/>', 'DOCTYPE'],
    ['a DOCTYPE inside the root', '<a><!DOCTYPE a></a>', 'DOCTYPE'],
    ['one level too many', '<a>'.repeat(65) + '</a>'.repeat(65), '64 levels'],
    ['a hundred thousand levels', '<a>'.repeat(30_000), '64 levels'],
    ['too many elements', `<a>${'<b/>'.repeat(1000)}</a>`, '1000 elements'],
    ['too many attributes', `<a b='' ${'c="" '.repeat(2000)}/>`, '2000 attributes'],
    ['a tag without end', `<a ${'x'.repeat(20_000)}`, 'well-formed'],
    ['a tag inside the brackets of a tag', '<a <b>', 'well-formed'],
    ['an open comment', '<a><!-- ', 'complete'],
    ['an open tag', '<a><b></a>', 'column 7: </a> ends <b>'],
    ['tags that overlap', '<a><b></a></b>', 'column 7: </a> ends <b>'],
    ['a tag that is never closed', '<a><b/>', 'column 8: <a> is never closed'],
    ['an open tag at the end of a line', '\n<a>\n', 'line 2, column 4: <a> is never closed'],
    ['an end without a start', '</a>', 'well-formed'],
    ['two roots', '<a/><b/>', 'well-formed at line 1, column 5'],
    ['text after the root', '<a/>x', 'well-formed at line 1, column 5'],
    ['text before the root', 'x<a/>', 'well-formed at line 1, column 1'],
    ['an attribute without quotes', '<a>\n<b c=1/></a>', 'well-formed at line 2, column 1'],
    ['a duplicate attribute', '<a b="1" b="2"/>', 'well-formed at line 1, column 1'],
    ['an unknown entity', '<a>&b;</a>', 'well-formed'],
    ['no XML', 'hello', 'well-formed'],
    ['nothing', '', 'well-formed'],
    ['too much', `<a>${'x'.repeat(100_000)}</a>`, 'larger than'],
  ])('is refused with %s', (_, text, says) => {
    expect(() => readXml(text, limits)).toThrow(says);
  });

  it.each([
    '<a><!-- c --></a>',
    '<a><![CDATA[x]]></a>',
    '<a><?pi x?></a>',
    '<!-- c --><a/>',
    ' <?xml version="1.0"?><a/>',
    '<?xml-stylesheet href="x"?><a/>',
  ])('in messages is refused with %s', (text) => {
    expect(() => checkXml(text, strict)).toThrow('not allowed');
  });

  it('in messages is not quoted in errors, which have only the position', () => {
    expect(() => readXml('<a>\n<canary></a>', limits)).toThrow('line 2, column 9: </a> ends <canary>.');
    expect(() => readXml('<a>\n<canary></a>', strict)).toThrow(
      /^The XML is not well-formed at line 2, column 9\.$/,
    );
  });

  it('with 64 levels is accepted, also with angle brackets in attribute values', () => {
    const text = `${'<a t="1>2" u=\'"<\'>'.replace("<'", "'").repeat(64)}${'</a>'.repeat(64)}`;
    expect(() => checkXml(text, strict)).not.toThrow();
  });

  it('of any content is read completely or refused with a Problem', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b/>',
      '<',
      '>',
      '"',
      "'",
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      'x',
      '<!',
      '</',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          checkXml(pieces.join(''), limits);
        } catch (error) {
          expect((error as Error).name).toBe('Problem');
        }
      }),
    );
  });
});
