import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDocument } from '../../src/render/render-document.ts';
import type { RenderContext, Target } from '../../src/render/render-context.ts';
import { tokenizeHtml, type OpenTag } from '../../src/richtext/html.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';
import { renderContext } from '../support/render-context.ts';

async function render(
  markdown: string,
  more: Partial<RenderContext> & { readonly targets?: Readonly<Record<string, Target>> } = {},
): Promise<string> {
  const { body } = await renderDocument(markdownToRead(markdown), renderContext(more));
  return body.text;
}

describe('rendering blocks', () => {
  it.each([
    ['a paragraph', 'Hello *you* and **all**', '<p>Hello <em>you</em> and <strong>all</strong></p>'],
    [
      'marks',
      '`a<b` ~~c~~ <sup>2</sup> <kbd>K</kbd>',
      '<p><code>a&lt;b</code> <del>c</del> <sup>2</sup> <kbd>K</kbd></p>',
    ],
    [
      'a color',
      '<mark style="color:red;background-color:#eef;">x</mark>',
      '<p><span class="color-red background-gray">x</span></p>',
    ],
    ['a tight list', '* a\n* b\n  * c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
    ['a loose list', '* a\n\n  b', '<ul><li><p>a</p><p>b</p></li></ul>'],
    ['an ordered list', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['a divider', '---', '<hr>'],
    ['a quote', '> a', '<blockquote><p>a</p></blockquote>'],
    [
      'columns',
      '{% columns %}\n{% column width="30%" %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
      '<div class="columns"><div class="column width-30"><p>a</p></div><div class="column"><p>b</p></div></div>',
    ],
    [
      'a prompt',
      '{% prompt description="Ask" defaultExpanded="full" %}\n```markdown\na\n```\n{% endprompt %}',
      '<figure class="code code-wrap"><figcaption>Ask</figcaption><pre tabindex="0"><code class="language-markdown">a</code></pre></figure>',
    ],
    [
      'a stepper',
      '{% stepper %}\n{% step %}\na\n{% endstep %}\n{% endstepper %}',
      '<ol class="stepper"><li class="step"><p>a</p></li></ol>',
    ],
    ['an emoji and a line break', 'a 🚀\\\nb', '<p>a 🚀<br>b</p>'],
  ])('renders %s', async (_, markdown, expected) => {
    expect(await render(markdown)).toBe(expected);
  });

  it('omits headings in cells from the outline', async () => {
    const table =
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td><h4>In</h4></td></tr></tbody></table>';
    const { body, outline } = await renderDocument(markdownToRead(`## Out\n\n${table}`), renderContext());
    expect(body.text).toContain('id="in"');
    expect(outline.map(({ title }) => title)).toEqual(['Out']);
  });

  it('renders headings in cells as headings, with any attributes', async () => {
    const cells = [
      '<td>Before <h4 id="own" class="x">One <em>two</em></h4> after</td>',
      '<td><h4 align="center">Three</h4><p align="center">Four</p></td>',
      '<td><h4 class="x">Five</td>',
      '<td>\n\n#### Six {#six-own}\n\n</td>',
    ];
    const table = `<table data-header-hidden><thead><tr><th></th><th></th><th></th><th></th></tr></thead><tbody><tr>${cells.join('')}</tr></tbody></table>`;
    const text = await render(table);
    expect(text).toContain('<p>Before</p><h2 id="own">One <em>two</em></h2><p> after</p>');
    expect(text).toContain('<h2 id="three" class="align-center">Three</h2><p>Four</p>');
    expect(text).toContain('<td><strong>Five</strong></td>');
    expect(text).toContain('<h2 id="six-own">Six</h2>');
  });

  it('gives headings of the page the anchors that links use, even if a cell above has the same heading', async () => {
    const cell = '<td><h3>Setup</h3></td>';
    const table = `<table><thead><tr><th>A</th></tr></thead><tbody><tr>${cell}</tr></tbody></table>`;
    const { body, outline } = await renderDocument(markdownToRead(`${table}\n\n## Setup`), renderContext());
    expect(outline).toEqual([{ level: 2, title: 'Setup', anchor: 'setup' }]);
    expect(body.text).toContain('id="setup-1"');
  });

  it('gives each heading its own anchor, even if authors wrote the same anchor twice', async () => {
    const markdown = '## One <a href="#same" id="same"></a>\n\n## Two <a href="#same" id="same"></a>';
    const { body, outline } = await renderDocument(markdownToRead(markdown), renderContext());
    expect(outline.map(({ anchor }) => anchor)).toEqual(['same', 'same-1']);
    expect(body.text.match(/ id="[^"]*"/g)).toEqual([' id="same"', ' id="same-1"']);
    expect(scanSections(markdown).map(({ anchor }) => anchor)).toEqual(['same', 'same-1']);
  });

  it('renders a heading without text as a paragraph, and omits it from the outline', async () => {
    const { body, outline } = await renderDocument(
      markdownToRead('## <i class="fa-star">:star:</i>'),
      renderContext(),
    );
    expect(body.text).toMatch(/^<p class="h2"><span class="icon-inline">[^]*<\/p>$/);
    expect(outline).toEqual([]);
  });

  it('gives headings the same anchors as the search, and lists them', async () => {
    const { body, outline } = await renderDocument(
      markdownToRead(
        '## Über `uns` & mehr\n\n### Über uns  mehr\n\n## Über uns mehr\n\n{% tabs %}\n{% tab title="Über uns mehr" %}\nx\n{% endtab %}\n{% endtabs %}',
      ),
      renderContext(),
    );
    expect(outline).toEqual([
      { level: 2, title: 'Über uns & mehr', anchor: 'über-uns--mehr' },
      { level: 3, title: 'Über uns mehr', anchor: 'über-uns-mehr' },
      { level: 2, title: 'Über uns mehr', anchor: 'über-uns-mehr-1' },
    ]);
    expect(body.text).toContain('<section class="tab" id="über-uns-mehr-2"');
  });

  it('skips no heading levels, and keeps the size of each', async () => {
    expect(await render('## A\n\n#### B\n\n### C\n\n## D')).toMatch(
      /^<h2 id="a" aria-label="A">A .*<h3 id="b" aria-label="B" class="h4">B .*<h3 id="c" aria-label="C">C .*<h2 id="d" aria-label="D">D /,
    );
    expect(await render('### A\n\n# B\n\n## C')).toMatch(
      /^<h2 id="a" aria-label="A" class="h4">A .*<h2 id="b" aria-label="B">B .*<h3 id="c" aria-label="C">C /,
    );
  });

  it('renders footnotes as notes that a word or their number opens', async () => {
    const text = await render(
      'A [word](#user-content-fn-1)[^1] and[^b] more[^gone].\n\n* In a list[^b]\n\n[^1]: The *note*.\n\n[^b]: Other.\n\n[^c]: Unused.',
    );
    expect(text).toMatch(
      /^<p>A <button type="button" class="annotation" popovertarget="~note-1">word<\/button> and<button type="button" class="annotation" popovertarget="~note-2"><sup>b<\/sup><\/button> more\[\^gone\]\.<\/p><div class="note" id="~note-1" popover role="note" aria-label="Note"><p>The <em>note<\/em>\.<\/p><\/div>/,
    );
    expect(text.match(/<p>Other\.<\/p>/g)).toHaveLength(2);
    expect(text).toMatch(/<p>\[\^c\]: Unused\.<\/p>$/);
    expect(await render('`a[^1]`\n\n[^1]: x')).toContain('<code>a[^1]</code>');
  });

  it('renders notes from links in HTML tables, and no empty notes', async () => {
    const text = await render(
      '<table><tbody><tr><td><a data-footnote-ref href="#user-content-fn-1">JPEG</a></td></tr></tbody></table>\n\nEnd\n\n[^1]: A format\n\n[^2]: ',
    );
    expect(text).toContain('<button type="button" class="annotation" popovertarget="~note-1">JPEG</button>');
    expect(text).toContain('<p>A format</p>');
    expect(text).toMatch(/<p>End<\/p>$/);
    expect(await render('[a](#user-content-fn-1) b\n\n[^2]: c')).toContain('[^2]: c');
  });

  it('gives notes IDs that no heading has', async () => {
    const text = await render('## Note\n\n## Note\n\na[^1]\n\n[^1]: x');
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['note', 'note-1', '~note-1']);
  });

  it('renders a note at most 200 times', async () => {
    const text = await render(`${'a[^1] '.repeat(500)}\n\n[^1]: ${'long '.repeat(100)}`);
    expect(text.match(/class="note"/g)).toHaveLength(200);
    expect(text.match(/\[\^1\]/g)).toHaveLength(300);
  });

  it('highlights code, and numbers its lines without breaking colors', async () => {
    const text = await render(
      '{% code title="a.js" lineNumbers="true" %}\n```js\n/* a\nb */ let c\n```\n{% endcode %}',
    );
    expect(text).toContain('<figcaption>a.js</figcaption>');
    expect(text).toContain(
      '<span class="line"><span class="hljs-comment">/* a\n</span></span><span class="line"><span class="hljs-comment">b */</span>',
    );
  });

  it('renders code of an unknown language without colors', async () => {
    expect(await render('```klingon\n<b>\n```')).toBe(
      '<figure class="code"><pre tabindex="0"><code class="language-klingon">&lt;b&gt;</code></pre></figure>',
    );
  });

  it('renders formulas as MathML, and invalid ones as source', async () => {
    expect(await render('a $$x^2$$ b')).toMatch(
      /^<p>a <span class="katex"><math.*<msup>.*<\/math><\/span> b<\/p>$/,
    );
    expect(await render('$$\n\\frac{1\n$$')).toBe(
      '<pre class="math" tabindex="0"><code>\\frac{1</code></pre>',
    );
    expect(await render('$$\\href{javascript:alert(1)}{x}$$')).not.toContain('href="');
  });

  it('opens an expandable block with the attribute "open"', async () => {
    expect(await render('<details open>\n<summary>More</summary>\n\nText\n\n</details>')).toBe(
      '<details id="more" open><summary>More</summary><div class="details-body"><p>Text</p></div></details>',
    );
  });

  it('renders the blocks of a condition only if it is true', async () => {
    const markdown = '{% if visitor.claims.plan == "pro" %}\nsecret\n{% endif %}\n\nall';
    expect(
      await render(markdown, { isTrue: (condition) => condition === 'visitor.claims.plan == "pro"' }),
    ).toBe('<p>secret</p><p>all</p>');
    expect(await render(markdown, { isTrue: () => false })).toBe('<p>all</p>');
  });

  it('renders the value of an expression, and nothing for an object', async () => {
    const markdown = 'v <code class="expression">space.vars.v</code>';
    expect(
      await render(markdown, { evaluate: (expression) => (expression === 'space.vars.v' ? 3 : undefined) }),
    ).toBe('<p>v 3</p>');
    expect(await render(markdown, { evaluate: () => ({}) })).toBe('<p>v </p>');
  });
});

describe('rendering references', () => {
  const targets: Readonly<Record<string, Target>> = {
    'a.md': { href: '../a', kind: 'page', title: 'Page A', icon: 'rocket', description: 'About A' },
    'b.zip': { href: '/files/b.zip', kind: 'file', title: 'b.zip', size: 2_500_000 },
    'x.png': { href: '/files/x.png', kind: 'file' },
    'y.png': { href: '/files/y.png', kind: 'file' },
    'bad.md': { href: 'javascript:alert(1)', kind: 'external' },
    'https://docs.test/a': { href: 'https://docs.test/a', kind: 'external', title: 'https://docs.test/a' },
  };
  const resolve = (ref: unknown): Target | undefined => targets[(ref as { url: string }).url];

  it.each([
    ['a link', '[a](a.md "T")', '<p><a href="../a" title="T">a</a></p>'],
    [
      'a link that leads nowhere',
      '[a](gone.md)',
      '<p><span class="broken-link" title="This link is broken">a</span></p>',
    ],
    [
      'a link that would run a script',
      '[a](bad.md)',
      '<p><span class="broken-link" title="This link is broken">a</span></p>',
    ],
    [
      'a mention',
      '[the name of its file](a.md "mention")',
      '<p><a href="../a"><svg class="icon" data-icon="rocket" aria-hidden="true"></svg>Page A</a></p>',
    ],
    [
      'a mention of a page elsewhere',
      '[Its page](https://docs.test/a "mention")',
      '<p><a href="https://docs.test/a" class="external" rel="noopener">Its page</a></p>',
    ],
    [
      'a button',
      '<a href="a.md" class="button primary">Go</a>',
      '<p><a class="button button-primary" href="../a">Go</a></p>',
    ],
    [
      'an image',
      '![alt](x.png "Caption")',
      '<div class="images"><figure><img src="/files/x.png" alt="alt" decoding="async"><figcaption><p>Caption</p></figcaption></figure></div>',
    ],
    [
      'a missing image',
      '![A map](no.png)',
      '<div class="images"><figure><span class="broken-image">A map</span></figure></div>',
    ],
    [
      'a file',
      '{% file src="b.zip" %}',
      '<figure class="file"><a class="content-ref" href="/files/b.zip" download><svg class="icon" data-icon="file-arrow-down" aria-hidden="true"></svg><span class="content-ref-text"><span class="content-ref-title">b.zip</span><span class="content-ref-description">2.5 MB</span></span></a></figure>',
    ],
    [
      'a reference',
      '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
      '<a class="content-ref" href="../a"><svg class="icon" data-icon="rocket" aria-hidden="true"></svg><span class="content-ref-text"><span class="content-ref-title">Page A</span><span class="content-ref-description">About A</span></span></a>',
    ],
  ])('renders %s', async (_, markdown, expected) => {
    expect(await render(markdown, { resolve })).toBe(expected);
  });

  it('renders the dark variant of an image for dark mode', async () => {
    const text = await render(
      '<figure><picture><source srcset="y.png" media="(prefers-color-scheme: dark)"><img src="x.png" alt=""></picture></figure>',
      { resolve },
    );
    expect(text).toContain('<img class="only-light" src="/files/x.png"');
    expect(text).toContain('<img class="only-dark" src="/files/y.png"');
  });

  it('reserves the space of images, and loads only the first one eagerly', async () => {
    const image = (size: string) => `<figure><img src="/a.png" alt=""${size}></figure>`;
    const targets = {
      '/a.png': { href: '/a.png', kind: 'file', dimensions: { width: 800, height: 600 } } as const,
    };
    const text = await render(`${image('')}\n\n${image(' width="200"')}\n\n${image(' width="50%"')}`, {
      targets,
    });
    expect(text.match(/ alt="" .*?>/g)).toEqual([
      ' alt="" width="800" height="600" decoding="async">',
      ' alt="" width="200" height="150" loading="lazy" decoding="async">',
      ' alt="" width="800" height="600" loading="lazy" decoding="async">',
    ]);
  });

  it('loads a known embed only on request, and links to all others', async () => {
    const known = await render('{% embed url="https://www.youtube.com/watch?v=abc_-123&t=3" %}');
    expect(known).toContain('data-frame="https://www.youtube-nocookie.com/embed/abc_-123"');
    expect(known).not.toContain('<iframe');
    expect(await render('{% embed url="https://example.com/x" %}')).not.toContain('data-frame');
    expect(await render('{% embed url="javascript:alert(1)" %}')).toBe('');
  });
});

describe('rendering tables', () => {
  it('renders rows with their alignment', async () => {
    expect(await render('| A | B |\n|---|--:|\n| 1 | 2 |')).toBe(
      '<div class="table" tabindex="0" role="region" aria-label="Table 1, A, B"><table><thead><tr><th scope="col">A</th><th scope="col" class="align-end">B</th></tr></thead><tbody><tr><td>1</td><td class="align-end">2</td></tr></tbody></table></div>',
    );
  });

  it('renders cells that span columns and rows, and nested tables', async () => {
    const text = await render(
      '<table><tbody><tr><td colspan="2" rowspan="2">wide</td><td>1</td></tr><tr><td>2</td></tr><tr><td>a</td><td>b</td><td><table><tbody><tr><td colspan="2">in</td></tr></tbody></table></td></tr></tbody></table>',
    );
    expect(text).toContain(
      '<tbody><tr><td rowspan="2" colspan="2">wide</td><td>1</td></tr><tr><td>2</td></tr><tr><td>a</td><td>b</td><td><div class="table"',
    );
    expect(text).toContain('<tbody><tr><td colspan="2">in</td></tr></tbody></table></div></td></tr>');
  });

  it('renders a header without text as a normal cell', async () => {
    expect(await render('| A | |\n|---|---|\n| 1 | 2 |')).toContain(
      '<thead><tr><th scope="col">A</th><td></td></tr></thead>',
    );
  });

  it('renders a table in full width only if it has the attribute', async () => {
    const table = (attributes: string) =>
      render(
        `<table${attributes}><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`,
      );
    expect(await table(' data-full-width="true"')).toContain('<div class="table full-width"');
    expect(await table('')).toContain('<div class="table"');
  });

  it('renders cards with a cover and one link', async () => {
    const text = await render(
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><h4>Start <em>now</em></h4></td><td><a href="a.md">a.md</a></td><td><a href="x.png">x.png</a></td></tr></tbody></table>',
    );
    expect(text).toContain('<a class="card-link" href="a.md" aria-label="Start now">');
    expect(text).toContain('<img class="card-cover" src="x.png"');
    expect(text).toContain('<div class="card-line"><h2 id="start-now">Start <em>now</em></h2></div>');
  });
});

it.each([
  ['<a id="x"></a>\n\nText.', '<span id="x"></span><p>Text.</p>'],
  [
    'Text <a name="x"></a> and <b id="y">more</b>.',
    '<p>Text <span id="x"></span> and <span id="y"></span>more.</p>',
  ],
  [
    '<a id="x" href="https://docs.test/">Text</a> <i id="x">twice</i>',
    '<p><span id="x"></span><a href="https://docs.test/" class="external" rel="noopener">Text</a> twice</p>',
  ],
])('keeps the anchors in the HTML of %j', async (markdown, expected) => {
  expect(await render(markdown)).toBe(expected);
});

it('does not repeat an anchor in HTML on a second element', async () => {
  expect(await render('# Two words <a id="other"></a>\n\n<a id="two-words"></a>Text.')).toMatch(
    /^<h2 id="two-words"[^]*<span id="other"><\/span>[^]*<p>Text\.<\/p>$/,
  );
});

describe('hostile content of authors', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '[a](javascript:alert(1))',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src="https://evil.example"></iframe>',
    '<style>*{display:none}</style>',
    '![x](data:text/html,x)',
    '"><b onclick=x>',
    '`</code><script>`',
    '$$\\url{javascript:x}$$',
    '{% embed url="https://x" onload="y" %}',
    '{% hint style=""><script>" %}\nx\n{% endhint %}',
    '<details id="x" onclick="y"><summary><script>z</script></summary>t</details>',
    '| <script> |\n|---|\n| <img src=x onerror=y> |',
    '```"><script>\nx\n```',
    '<mark style="color:url(javascript:x)">a</mark>',
    '<i class="fa-x" onload="y">x</i>',
    '{% code title="<script>" %}\n```\nx\n```\n{% endcode %}',
    '# <script>x</script> {#"onload=x}',
    'a[^1] [b](#user-content-fn-1)[^1]\n\n[^1]: <script>x</script>',
    '<figure><img src="javascript:x" alt=""><script>"><figcaption><script></figcaption></figure>',
  ];
  const elements = new Set(
    'a article aside b blockquote br button code col colgroup dd del details div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img input kbd li ol p pre section span strong sub sup svg summary table tbody td th thead time tr ul math semantics annotation mrow mi mo mn msup msub mfrac mtext mspace mstyle mtable mtr mtd msqrt munder mover munderover msubsup mpadded menclose'.split(
      ' ',
    ),
  );
  const isHarmless = ({ name, attributes }: OpenTag): boolean =>
    elements.has(name) &&
    Object.entries(attributes).every(
      ([key, value]) =>
        !key.startsWith('on') &&
        key !== 'style' &&
        key !== 'srcdoc' &&
        (!['href', 'src'].includes(key) || !/^\s*(?:javascript|data|vbscript|file):/i.test(value)),
    );

  it('never becomes an element, attribute or URL that runs or loads anything', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('\n\n', '\n', ' ', '* ', '> ', '    '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const text = await render(pieces.join(''));
        const tags = tokenizeHtml(text).filter((token): token is OpenTag => token.kind === 'open');
        expect(tags.filter((tag) => !isHarmless(tag))).toEqual([]);
        expect(text).not.toContain('<!--');
      }),
      { numRuns: 300 },
    );
  });

  it('is rendered with balanced elements', async () => {
    for (const markdown of hostile) {
      const open: string[] = [];
      for (const token of tokenizeHtml(await render(markdown))) {
        if (token.kind === 'open' && !token.isVoid) open.push(token.name);
        if (token.kind === 'close') expect(open.pop()).toBe(token.name);
      }
      expect(open).toEqual([]);
    }
  });
});

it('marks a link whose text is its URL, so that the URL is printed once', async () => {
  const classOf = async (markdown: string) =>
    /<a class="([^"]*)"|<a [^>]*?class="([^"]*)"/
      .exec(await render(markdown))
      ?.slice(1)
      .join('');
  expect(await classOf('<https://a.test/b?c=1&d=2>')).toBe('external bare');
  expect(await classOf('[a.test](https://a.test/)')).toBe('external bare');
  expect(await classOf('[A](https://a.test/)')).toBe('external');
});
