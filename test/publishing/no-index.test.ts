import { beforeAll, expect, it } from 'vitest';
import { buildFolder } from '../static-site/built-site.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'A zebra.' },
    { title: 'Unsearched', text: 'A zebra.', noIndex: true },
    { title: 'Unlisted', text: 'A zebra.', noRobotsIndex: true },
  ]);
});

const read = async (path: string): Promise<string> => (await site.visit(path)).body;

it('noIndex keeps a page out of searches, out of texts for agents, and from search engines', async () => {
  for (const path of ['~gitbook/search?q=zebra', 'llms.txt', 'llms-full.txt']) {
    const body = await read(path);
    expect(body).toContain('Start');
    expect(body).toContain('Unlisted');
    expect(body.replace(/<nav.*?<\/nav>/gs, '')).not.toContain('Unsearched');
  }
  expect(await read('sitemap-pages.xml')).not.toContain('unsearched');
  expect(await read('unsearched')).toContain('<meta name="robots" content="noindex">');
  expect(await read('')).toContain('>Unsearched<');
});

it('noRobotsIndex keeps a page only from search engines', async () => {
  expect(await read('sitemap-pages.xml')).not.toContain('unlisted');
  expect(await read('unlisted')).toContain('<meta name="robots" content="noindex">');
});

it('noIndex keeps a page out of the search of a built site', async () => {
  const folder = buildFolder(site);
  await folder.build();
  const names = Object.keys(folder.files());
  expect(names).toContain('unsearched/index.html');
  const index = names.filter((name) => name.startsWith('~search/')).map(folder.read);
  expect(index.join('\n')).toContain('Unlisted');
  expect(index.join('\n')).not.toContain('Unsearched');
});
