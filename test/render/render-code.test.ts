import { describe, expect, it } from 'vitest';
import { renderCode, renderMathBlock, renderPlainCode } from '../../src/render/render-code.ts';
import { wordsOf } from '../../src/render/words.ts';
import { markup } from '../../src/render/markup.ts';
import type { Renderer } from '../../src/render/render-context.ts';
import { renderDocument } from '../../src/render/render-document.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { renderContext } from '../support/render-context.ts';
import { textNode } from '../../src/richtext/nodes.ts';

const asked: [length: number, language: string][] = [];
/** Highlights everything as one comment, and can render only the formula `x`. */
const renderer = {
  highlight: (code: string, language: string) => {
    asked.push([code.length, language]);
    return language === 'none' ? undefined : `<span class="hl">${code}</span>`;
  },
  formula: (tex: string) => (tex === 'x' ? markup`<math>x</math>` : undefined),
  words: wordsOf('en'),
} as unknown as Renderer;

const codeOf = (lines: readonly string[], data: object): string =>
  renderCode(
    {
      object: 'block',
      type: 'code',
      data,
      nodes: lines.map((text) => ({
        object: 'block',
        type: 'code-line',
        nodes: [textNode([{ text, marks: [] }])],
      })),
    } as never,
    renderer,
  ).text;

describe('a code block', () => {
  it('has a class for each of its settings', () => {
    expect(codeOf(['a'], { syntax: 'none' })).toBe(
      '<figure class="code"><pre tabindex="0"><code class="language-none">a</code></pre></figure>',
    );
    expect(
      codeOf(['a'], {
        syntax: 'none',
        overflow: 'wrap',
        lineNumbers: true,
        expandable: true,
        title: 'A & B',
      }),
    ).toBe(
      '<figure class="code code-wrap code-numbered"><figcaption>A &amp; B</figcaption><pre tabindex="0"><code class="language-none"><span class="line">a\n</span></code></pre></figure>',
    );
    expect(codeOf(['a<b'], { overflow: 'scroll', lineNumbers: false, expandable: false })).toBe(
      '<figure class="code"><pre tabindex="0"><code><span class="hl">a<b</span></code></pre></figure>',
    );
  });

  it('hides the lines after the tenth behind a button if it is expandable', () => {
    const lines = (count: number) => Array.from({ length: count }, () => 'a');
    const data = { syntax: 'none', expandable: true };
    expect(codeOf(lines(10), data)).not.toContain('code-expandable');
    expect(codeOf(lines(11), data)).toMatch(
      /class="code code-expandable".*<label class="code-more">.*Show all 11 lines<\/label><\/figure>$/s,
    );
  });

  it('continues its colors in each numbered line', () => {
    expect(codeOf(['a', 'b'], { syntax: 'JS', lineNumbers: true })).toContain(
      '<code class="language-js"><span class="line"><span class="hl">a\n</span></span><span class="line"><span class="hl">b</span>\n</span></code>',
    );
  });

  it('is highlighted up to 20,000 characters', () => {
    for (const [length, isColored] of [
      [20_000, true],
      [20_001, false],
    ] as const) {
      asked.length = 0;
      const code = 'x'.repeat(length);
      expect(codeOf([code], { syntax: 'js' }).includes('"hl"')).toBe(isColored);
      expect(renderPlainCode(code, 'js', renderer).text.includes('"hl"')).toBe(isColored);
      expect(asked).toHaveLength(isColored ? 2 : 0);
    }
    expect(renderPlainCode('<', 'none', renderer).text).toContain('<code>&lt;</code>');
  });
});

it('highlights the first 200,000 characters of code on a page', async () => {
  const block = `\`\`\`js\n${'let a = 1;\n'.repeat(1800)}\`\`\`\n\n`;
  const { body } = await renderDocument(
    markdownToRead(`${block.repeat(12)}\`\`\`js\nlet b;\n\`\`\`\n`),
    renderContext(),
  );
  const figures = body.text.split('<figure').slice(1);
  const colored = figures.map((figure) => figure.includes('hljs-keyword'));
  expect(colored).toEqual([...Array<boolean>(10).fill(true), false, false, true]);
});

it('shows the source of a formula that cannot be rendered', () => {
  const blockOf = (formula: string): string =>
    renderMathBlock({ object: 'block', type: 'math', data: { formula } } as never, renderer).text;
  expect(blockOf('x')).toBe('<div class="math" tabindex="0"><math>x</math></div>');
  expect(blockOf('<')).toBe('<pre class="math" tabindex="0"><code>&lt;</code></pre>');
});
