import { beforeAll, expect, it } from 'vitest';
import { attributesOf, childrenOf, readXml, textOf, type XmlElement } from '../../src/saml/xml.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const update = (date: string, text: string, more = ''): string =>
  `{% update date="${date}"${more} %}\n${text}\n{% endupdate %}`;
const changes = (...updates: readonly string[]): string =>
  `Intro.\n\n{% updates format="full" %}\n${updates.join('\n\n')}\n{% endupdates %}`;
const first = update(
  '2026-02-27',
  '## Faster search\n\nSee [the guide](guide.md#search) & `a < b`.\n\n## More\n\nText.',
  ' tags="new, search"',
);
const second = update('2026-01-05', 'Only a text.');

const limits = { maxBytes: 1e6, maxElements: 1e4, maxAttributes: 1e4, strict: false };
const textIn = (element: XmlElement, name: string) => childrenOf(element, name).map(textOf)[0];
const itemOf = (item: XmlElement) => {
  const [guid] = childrenOf(item, 'guid');
  return {
    title: textIn(item, 'title'),
    link: textIn(item, 'link'),
    guid: [textOf(guid!), attributesOf(guid!)['isPermaLink']],
    pubDate: textIn(item, 'pubDate'),
    categories: childrenOf(item, 'category').map(textOf),
    description: textIn(item, 'description'),
  };
};

let site: PublishedSite;
const feedAt = async (path: string) => {
  const answer = await site.visit(path);
  expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
    path,
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  const [rss] = childrenOf(readXml(answer.body, limits), 'rss');
  const [channel] = childrenOf(rss!, 'channel');
  const texts = ['title', 'link', 'description', 'lastBuildDate'].map((name) => textIn(channel!, name));
  return { version: attributesOf(rss!)['version'], texts, items: childrenOf(channel!, 'item').map(itemOf) };
};
const write = (markdown: string) =>
  site.change(site.spaceId, [
    { operation: 'update_page', page: site.pages.get('Changes'), document: { markdown } },
  ]);

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: changes(update('2026-03-01', '# At the root')) },
    { title: 'Changes', text: changes(first, second), description: 'What is new & better' },
    { title: 'Guide', text: '## Search\n\nHere.' },
  ]);
});

it('the feed of a page lists its updates, with absolute links', async () => {
  const { version, texts, items } = await feedAt('changes/rss.xml');
  expect(version).toBe('2.0');
  expect(texts).toEqual([
    'Changes | Docs',
    'https://docs.test/sites/acme/docs/changes',
    'What is new & better',
    'Fri, 27 Feb 2026 00:00:00 GMT',
  ]);
  const [newest, oldest, ...more] = items;
  expect(more).toEqual([]);
  expect(newest).toMatchObject({
    title: 'Faster search',
    pubDate: 'Fri, 27 Feb 2026 00:00:00 GMT',
    categories: ['new', 'search'],
  });
  expect(newest?.description).toContain('href="https://docs.test/sites/acme/docs/guide#search"');
  expect(newest?.description).toContain('a &lt; b');
  expect(newest?.description).not.toMatch(/href="[#/]|<svg|<button|class=/);
  expect([oldest?.title, oldest?.categories]).toEqual(['Only a text.', []]);
  for (const { link } of items) {
    const [path = '', anchor = ''] = link!.replace('https://docs.test/sites/acme/docs/', '').split('#');
    expect((await site.visit(path)).body).toContain(`id="${anchor}"`);
  }
});

it('only the page of a feed links to it in its head', async () => {
  const link = (path: string) =>
    `<link rel="alternate" type="application/rss+xml" href="https://docs.test/sites/acme/docs/${path}rss.xml">`;
  expect((await site.visit('changes')).body).toContain(link('changes/'));
  expect((await site.visit('')).body).toContain(link(''));
  expect((await site.visit('guide')).body).not.toContain('application/rss+xml');
  expect((await feedAt('rss.xml')).items[0]?.title).toBe('At the root');
});

it('a feed has one address, and a page without updates has none', async () => {
  for (const path of ['guide/rss.xml', 'gone/rss.xml']) expect((await site.visit(path)).statusCode).toBe(404);
  const answer = await site.visit('Changes/RSS.xml');
  expect(answer.statusCode).toBe(404);
  const other = await site.visit('CHANGES/rss.xml');
  expect([other.statusCode, other.headers.location]).toEqual([308, '/sites/acme/docs/changes/rss.xml']);
});

it('a feed keeps the IDs of updates when others are added above them, also on the same day', async () => {
  const ids = async () => (await feedAt('changes/rss.xml')).items.map(({ guid }) => guid);
  const before = await ids();
  expect(before.map(([, isPermaLink]) => isPermaLink)).toEqual(['false', 'false']);
  const same = update('2026-01-05', 'Only a text.');
  await write(changes(update('2026-02-27', '## Another'), first, same, second));
  const after = await ids();
  expect(new Set(after.map(([id]) => id)).size).toBe(4);
  expect([after[1], after[3]]).toEqual(before);
});

it('a feed is valid XML even if updates have invalid dates and contain control characters', async () => {
  await write(changes(update('soon', 'A \u0007 & ]]> <b>b</b> end'), update('2026-02-30x', '')));
  const { items } = await feedAt('changes/rss.xml');
  expect(items.map(({ pubDate }) => pubDate)).toEqual([undefined, undefined]);
  expect(items[0]?.description).toContain(']]&gt;');
});

it('a feed omits the characters that XML forbids', async () => {
  await write(changes(update('2026-02-27', '## Odd \u0001\u001b\ufffe\uffff title\n\nText \uffff.')));
  const { body } = await site.visit('changes/rss.xml');
  expect(body).toContain('<title>Odd  title</title>');
  expect(body).not.toMatch(/[^\t\n\r -\ud7ff\ue000-\ufffd]/);
});
