import { expect, it } from 'vitest';
import { publishedSite } from '../publishing/published-site.ts';

it('lists the headings of the two highest levels of a page in its outline', async () => {
  const text = '#### Low\n\n### High\n\n#### Below\n\n##### Lowest';
  const site = await publishedSite([{ title: 'Deep', text }]);
  const { body } = await site.visit('');
  expect(
    [...body.matchAll(/<li class="(outline-.)"><a href="#([^"]*)">/g)].map(([, ...found]) => found),
  ).toEqual([
    ['outline-3', 'low'],
    ['outline-2', 'high'],
    ['outline-3', 'below'],
  ]);
});
