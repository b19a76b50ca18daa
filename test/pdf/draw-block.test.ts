import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { block, book, fragment, page, paragraph, rendered, text } from './support.ts';

const drawn = async (...nodes: RichNode[]) => {
  const pdf = await rendered(book([page('a', nodes)]));
  return { ...pdf, lines: pdf.pages.join('\n').split('\n').slice(3) };
};

describe('an embed', () => {
  const url = 'https://video.test/1';

  it('is a line that links, with its caption under it', async () => {
    const pdf = await drawn(
      block('embed', [], { url }, [fragment('caption', [paragraph('How it works')])]),
      paragraph('after'),
    );
    expect(pdf.urls).toEqual([url]);
    expect(pdf.lines.at(-2)).toBe('How it works');
    expect(pdf.lines.at(-1)).toBe('after');
  });

  it('has no line for a caption that it does not have', async () => {
    const { lines, urls } = await drawn(block('embed', [], { url }), paragraph('after'));
    expect(urls).toEqual([url]);
    expect(lines.at(-1)).toBe('after');
    expect(lines.at(-2)).toContain('video.test');
  });
});

describe('a block that is not known', () => {
  it('shows the text in it', async () => {
    expect((await drawn(block('odd', [text('inside')]))).lines).toContain('inside');
    expect((await drawn(block('odd', [paragraph('one'), paragraph('two')]))).lines.slice(-2)).toEqual([
      'one',
      'two',
    ]);
  });
});
