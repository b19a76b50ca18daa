import { describe, expect, it } from 'vitest';
import { rebaseLinks } from '../../src/richtext/rebase-links.ts';

describe('links of a text that is moved to another file', () => {
  it('keep their targets', () => {
    const text =
      '[a](../../b.md#c) ![i](<x y.png>) <a href="./d/">d</a> {% file src="e.pdf" %}\n\n[r]: ../f.md\n';
    expect(rebaseLinks(text, 'docs/parts/in/one.md', 'docs/a.md')).toBe(
      '[a](b.md#c) ![i](<parts/in/x y.png>) <a href="parts/in/d/">d</a> {% file src="parts/in/e.pdf" %}\n\n[r]: parts/f.md\n',
    );
    expect(rebaseLinks('[a](b.md)', 'in/one.md', undefined)).toBe('[a](/in/b.md)');
  });

  it('are changed in MyST directives, but not in code inside them', () => {
    const text =
      '````{note} T\n[a](b.md)\n```sh\n[a](b.md)\n```\n```{tip}\n[a](b.md)\n```\n````\n[a](b.md)\n```{code}\n[a](b.md)\n```';
    expect(rebaseLinks(text, 'in/one.md', undefined)).toBe(
      '````{note} T\n[a](/in/b.md)\n```sh\n[a](b.md)\n```\n```{tip}\n[a](/in/b.md)\n```\n````\n[a](/in/b.md)\n```{code}\n[a](b.md)\n```',
    );
  });

  it.each([
    '[a](https://x.test)',
    '[a](/b.md)',
    '[a](#b)',
    '[a](mailto:b@c.test)',
    '[a](../../../out.md)',
    '```\n[a](b.md)\n```\n',
  ])('stay the same in %j', (text) => {
    expect(rebaseLinks(text, 'in/one.md', 'a.md')).toBe(text);
  });
});

it('limits how much longer many links make a text', () => {
  const text = '[a](b)\n'.repeat(10_000);
  expect(rebaseLinks(text, `${'abc/'.repeat(500)}a.md`, 'a.md').length).toBeLessThan(1_100_000);
});
