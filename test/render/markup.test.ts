import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, classes, markup, join } from '../../src/render/markup.ts';
import { tokenizeHtml } from '../../src/richtext/html.ts';

describe('markup', () => {
  it('escapes texts, and keeps nested markup', () => {
    const inner = markup`<b>${'1 < 2 & "3"'}</b>`;
    expect(markup`<p title="${'"><script>'}">${inner}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;"><b>1 &lt; 2 &amp; &quot;3&quot;</b></p>',
    );
  });

  it('writes nothing for undefined, null, false and empty lists', () => {
    expect(markup`<i>${undefined}${null}${false}${[]}${0}</i>`.text).toBe('<i>0</i>');
    expect(join(['a', [markup`<br>`, 'b']]).text).toBe('a<br>b');
  });

  it('writes only attributes with a value', () => {
    expect(attributes({ id: 'a', hidden: true, title: undefined, lang: false, width: 3 }).text).toBe(
      ' id="a" hidden width="3"',
    );
    expect(classes('one', false, undefined, 'two').text).toBe(' class="one two"');
    expect(classes(false).text).toBe('');
  });

  it('never turns a text into markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const tokens = tokenizeHtml(markup`<p id="${text}">${text}</p>`.text);
        expect(tokens.map(({ kind }) => kind)).toEqual(
          text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '') === ''
            ? ['open', 'close']
            : ['open', 'text', 'close'],
        );
      }),
    );
  });
});
