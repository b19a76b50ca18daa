import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { block, book, fragment, page, paragraph, rendered, text } from './support.ts';

const drawn = async (...nodes: RichNode[]) => {
  const pdf = await rendered(book([page('a', nodes)]));
  return { ...pdf, lines: pdf.pages.join('\n').split('\n').slice(3) };
};

describe('a heading', () => {
  it.each([
    [1, 24.74],
    [2, 22.37],
    [3, 20.46],
  ])('of level %i has its own space below it', async (level, gap) => {
    const { raw } = await drawn(
      block(`heading-${level}`, [text('Title')]),
      paragraph('one'),
      paragraph('two'),
    );
    const baselines = [...raw.matchAll(/1 0 0 1 [\d.]+ ([\d.]+) Tm/g)].map(([, y]) => Number(y));
    const [title = 0, one = 0, two = 0] = baselines.slice(-3);
    expect(title - one).toBeCloseTo(gap, 1);
    expect(one - two).toBeCloseTo(23.88, 1);
  });
});

describe('an embed', () => {
  const url = 'https://video.test/1';

  it('is drawn as a link, with its caption below it', async () => {
    const pdf = await drawn(
      block('embed', [], { url }, [fragment('caption', [paragraph('How it works')])]),
      paragraph('after'),
    );
    expect(pdf.urls).toEqual([url]);
    expect(pdf.lines.at(-2)).toBe('How it works');
    expect(pdf.lines.at(-1)).toBe('after');
    const sizes = [...pdf.raw.matchAll(/\/F\d+ ([\d.]+) Tf/g)].map(([, size]) => Number(size));
    expect((sizes.at(-2) ?? 0) / (sizes.at(-1) ?? 0)).toBeCloseTo(0.88, 2);
  });

  it('has no line for a missing caption', async () => {
    const { lines, urls } = await drawn(block('embed', [], { url }), paragraph('after'));
    expect(urls).toEqual([url]);
    expect(lines.at(-1)).toBe('after');
    expect(lines.at(-2)).toContain('video.test');
  });
});

it('draws the date and tags of an update above its text', async () => {
  const update = (data: object) => block('update', [paragraph('Faster.')], data);
  const { lines } = await drawn(
    block('updates', [
      update({ date: '2026-03-01', tags: 'beta, fixes' }),
      update({ date: 'Soon' }),
      update({}),
    ]),
  );
  expect(lines.slice(1)).toEqual(['March 1, 2026 · beta · fixes', 'Faster.', 'Soon', 'Faster.', 'Faster.']);
  const tags = new Map([['fixes', { label: 'Bugs' }]]);
  const { pages } = await rendered(book([page('a', [update({ tags: 'beta,fixes' })])], { tags }));
  expect(pages.join('\n')).toContain('beta · Bugs');
});

describe('a block of an unknown type', () => {
  it('is drawn as the text in it', async () => {
    expect((await drawn(block('odd', [text('inside')]))).lines).toContain('inside');
    expect((await drawn(block('odd', [paragraph('one'), paragraph('two')]))).lines.slice(-2)).toEqual([
      'one',
      'two',
    ]);
  });
});
