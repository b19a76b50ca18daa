import { beforeAll, expect, it } from 'vitest';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { buildFolder } from '../static-site/built-site.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'A zebra.' },
    { title: 'Unsearched', text: 'A zebra.', noIndex: true },
    { title: 'Unlisted', text: 'A zebra.', noRobotsIndex: true },
    {
      title: 'Hidden',
      text: '{% updates %}\n{% update date="2026-01-02" %}\n## New\n{% endupdate %}\n{% endupdates %}',
      hidden: true,
    },
  ]);
  const into = site.pages.get('Hidden');
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Below', into, document: { markdown: 'A zebra.' } },
  ]);
});

const read = async (path: string): Promise<string> => (await site.visit(path)).body;

it('noIndex excludes a page from searches, texts for agents and search engines', async () => {
  for (const path of ['~gitbook/search?q=zebra', 'llms.txt', 'llms-full.txt', '~gitbook/site-index']) {
    const body = await read(path);
    expect(body).toContain('Start');
    expect(body).toContain('Unlisted');
    expect(body.replace(/<nav.*?<\/nav>/gs, '')).not.toContain('Unsearched');
  }
  expect(await read('sitemap-pages.xml')).not.toContain('unsearched');
  expect(await read('unsearched')).toContain('<meta name="robots" content="noindex">');
  expect(await read('')).toContain('>Unsearched<');
});

it('noRobotsIndex excludes a page only from search engines', async () => {
  expect(await read('sitemap-pages.xml')).not.toContain('unlisted');
  expect(await read('unlisted')).toContain('<meta name="robots" content="noindex">');
});

it('a page below a hidden page is excluded from search engines', async () => {
  expect(await read('hidden/below')).toContain('<meta name="robots" content="noindex">');
  expect(await read('sitemap-pages.xml')).not.toContain('below');
});

it('the Markdown and the feed of an excluded page have a noindex header', async () => {
  const robots = async (path: string) => (await site.visit(path)).headers['x-robots-tag'];
  expect(await robots('start.md')).toBeUndefined();
  for (const path of ['unsearched.md', 'unlisted.md', 'hidden.md', 'hidden/rss.xml', 'hidden/below.md'])
    expect([path, await robots(path)]).toEqual([path, 'noindex']);
});

it.each(['public', 'unlisted', 'visitor-auth'] as const)(
  'texts and files have a noindex header unless the site is public (%s)',
  async (visibility) => {
    await site.call(updateSite, site.site, { body: { visibility } });
    for (const path of ['', 'start.md', 'llms-full.txt', 'start/none.png']) {
      const { headers } = await site.visit(path);
      expect([path, headers['x-robots-tag']]).toEqual([
        path,
        visibility === 'public' ? undefined : 'noindex',
      ]);
    }
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  },
);

it('noIndex excludes a page from the search index of a built site', async () => {
  const folder = buildFolder(site);
  await folder.build();
  const names = Object.keys(folder.files());
  expect(names).toContain('unsearched/index.html');
  const index = names.filter((name) => name.startsWith('~search/')).map(folder.read);
  expect(index.join('\n')).toContain('Unlisted');
  expect(index.join('\n')).not.toContain('Unsearched');
});
