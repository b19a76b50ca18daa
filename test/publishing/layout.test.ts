import { beforeAll, expect, it } from 'vitest';
import { layoutFlags } from '../../src/contract/page-layout.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

const page = {
  description: 'About it',
  text: '## One\n\nText\n\n## Two\n\nText',
  tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
};

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    { ...page, title: 'All' },
    ...layoutFlags.map((flag) => ({
      ...page,
      title: flag,
      slug: flag.toLowerCase(),
      layout: { [flag]: false },
    })),
    { title: 'Deep', text: '#### Low\n\n### High\n\n#### Below\n\n##### Lowest' },
    { title: 'End', text: 'Text' },
  ]);
});

it('lists the headings of the two highest levels of a page in its outline', async () => {
  const { body } = await site.visit('deep');
  expect(
    [...body.matchAll(/<li class="(outline-.)"><a href="#([^"]*)">/g)].map(([, ...found]) => found),
  ).toEqual([
    ['outline-3', 'low'],
    ['outline-2', 'high'],
    ['outline-3', 'below'],
  ]);
});

/** Patterns that only a page with the part matches. */
const shown: Readonly<Record<(typeof layoutFlags)[number], RegExp>> = {
  title: /<h1>/,
  description: /class="lead"/,
  tableOfContents: /class="layout"/,
  outline: /class="outline"/,
  pagination: /class="pagination"/,
  metadata: /class="updated"/,
  tags: /class="tags"/,
  actions: /page-actions/,
  anchors: /class="heading-link"/,
};

it.each(layoutFlags)('layout.%s hides this part of a page, and no other', async (flag) => {
  const [all, without] = await Promise.all(
    ['all', flag.toLowerCase()].map(async (path) => (await site.visit(path)).body),
  );
  for (const [part, pattern] of Object.entries(shown)) {
    expect([part, pattern.test(all ?? '')]).toEqual([part, true]);
    expect([part, pattern.test(without ?? '')]).toEqual([part, part !== flag]);
  }
});
