import { describe, expect, it } from 'vitest';
import { convertJsx } from '../../src/richtext/jsx.ts';
import { scanLinks } from '../../src/richtext/scan-links.ts';

describe('convertJsx', () => {
  it.each([
    [
      "<div style={{ display: 'flex', justifyContent: 'center' }}>\n  <img \n    src=\"/a.png\"\n    style={{ width: '80%', maxWidth: '700px' }}\n  />\n</div>",
      '<div align="center">\n  <img \n    src="/a.png" width="80%" />\n</div>',
    ],
    ["<p style={{textAlign: 'right'}}>x</p>", '<p align="right">x</p>'],
    ["<div style={{ margin: '0 auto' }}>x</div>", '<div>x</div>'],
    ['<img width={300} style={{ width: 20 }} src="a.png"/>', '<img width="300" src="a.png" />'],
    ['<img style={{ width: 20 }} src="a.png">', '<img width="20" src="a.png">'],
    ["<img style={{ width: '12rem' }} src='a.png'>", "<img src='a.png'>"],
    ["<img src={require('./a.png').default} />", '<img src="./a.png" />'],
    ["<img src={require('@site/static/img/a.png').default} />", '<img src="/img/a.png" />'],
    ["<img src={useBaseUrl('img/a.png')} />", '<img src="/img/a.png" />'],
    ["<img src={useBaseUrl('https://a.test/b.png')} />", '<img src="https://a.test/b.png" />'],
    [
      "import pic from './a.png';\n\n<img src={pic} />",
      'import pic from \'./a.png\';\n\n<img src="./a.png" />',
    ],
    ['<Image img={require("./a.png")} alt="A" />', '<img src="./a.png" alt="A" />'],
    ['<a href={`/x`} onClick={() => go({ a: 1 })}>y</a>', '<a href="/x">y</a>'],
    [
      'See <Link to="/x">y</Link> and <span style={{ color: \'red\' }}>z</span>',
      'See <a href="/x">y</a> and <span>z</span>',
    ],
    ['<img alt={\'say "hi"\'} src="a.png">', '<img alt="say &quot;hi&quot;" src="a.png">'],
    ['`<img src={a}>` and ``<img src={`a`}>``', '`<img src={a}>` and ``<img src={`a`}>``'],
    ['a `b\n<Link to="c">d</Link>` e', 'a `b\n<Link to="c">d</Link>` e'],
    ['- a ` b\n- <Link to="c">d</Link> `', '- a ` b\n- <a href="c">d</a> `'],
    ['```jsx\n<img src={a} />\n```\n', '```jsx\n<img src={a} />\n```\n'],
    ['a\n\n    <img src={a} />\n', 'a\n\n    <img src={a} />\n'],
    ['<img src={a', '<img src={a'],
    ['a <b c={ d', 'a <b c={ d'],
  ])('converts %j', (given, expected) => expect(convertJsx(given)).toBe(expected));

  it.each([
    [
      '<iframe width="1" src="https://youtu.be/x"></iframe>\n',
      '\n\n{% embed url="https://youtu.be/x" %}\n\n\n',
    ],
    [
      '- a\n\n  <div class="video"><iframe\n  src={"//player.test/?a=1&amp;b=2"} /></div>',
      '- a\n\n  <div class="video">\n\n  {% embed url="https://player.test/?a=1&b=2" %}\n\n  </div>',
    ],
    ['<iframe src="javascript:alert(1)"></iframe>', '<iframe src="javascript:alert(1)"></iframe>'],
    ['text <iframe src="https://a.test"></iframe>', 'text <iframe src="https://a.test"></iframe>'],
  ])('converts the embedded page %j', (given, expected) => expect(convertJsx(given)).toBe(expected));

  it('keeps the number of lines on request', () => {
    const given = 'a\n<img\n  a={b}\n  src="x"\n/>\n<iframe src="https://a.test"></iframe>\nb\n';
    expect(convertJsx(given, true).split('\n').indexOf('b')).toBe(given.split('\n').indexOf('b'));
  });

  it('finds the files in expressions as links, with their lines', () =>
    expect(scanLinks("A\n\n<img\n  src={require('@site/static/img/a.png').default}\n/>\n")).toEqual([
      { href: '/img/a.png', line: 4, kind: 'html' },
    ]));

  it('finds no link in the name of an imported file', () =>
    expect(scanLinks('<img src={logo} />\n\nimport logo from "./a.png"\n').map(({ href }) => href)).toEqual([
      './a.png',
    ]));

  it.each(['<a b={', '<a b={{', "<a b='", '<a b="{', '<Link ', '<a b ', '`<a b={'])(
    'does not change many %j',
    (part) => {
      const many = part.repeat(20_000);
      expect(convertJsx(many)).toBe(many);
    },
  );
});
