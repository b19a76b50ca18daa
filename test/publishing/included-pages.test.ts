import { expect, it } from 'vitest';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const condition = 'visitor.claims.unsigned.beta';
const secret = (text: string): string => `{% if ${condition} %}\n${text}\n{% endif %}\n`;
const value = `<code class="expression">${condition} ? "Valueword" : ""</code>`;
const cookie = `gitbook-visitor-public=${encodeURIComponent('{"beta":true}')}`;

const file = (path: string, text: string) => ({
  operation: 'put_text',
  role: path.endsWith('.md') ? 'include' : 'snippet',
  title: path,
  git: { path },
  text,
});

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  git: { path: `${title.toLowerCase()}.md` },
  document: { markdown },
  ...more,
});

const mixed = `First\n\n${secret('Mixedword\n<!-- ANCHOR: part -->\nPartword\n<!-- ANCHOR_END: part -->')}\nLastword\n`;

type Include = readonly [title: string, markdown: string, word: string, others: string];

/** Includes of other pages, each with a word that only visitors with the claim see, and what others see. */
const ofPages: readonly Include[] = [
  ['Fence', '```md\n{{#include mixed.md}}\n```', 'Mixedword', '```md\nFirst\n\n\nLastword\n```'],
  ['Fenced', '<<< ./mixed.md', 'Mixedword', '```md\nFirst\n\n\nLastword\n```'],
  ['Line', '{{#include mixed.md:4}}', 'Mixedword', ''],
  ['Lines', '{{#include mixed.md:1:10}}', 'Mixedword', 'First\n\n\nLastword'],
  ['Named', '{{#include mixed.md:part}}', 'Partword', ''],
  ['Whole', '{{#include closed.md}}', 'Closedword', ''],
  ['Child', '{{#include below.md:1}}', 'Belowword', ''],
  ['Nested', '{{#include fence.md}}', 'Mixedword', '```md\nFirst\n\n\nLastword\n```'],
  ['Code', '```\n{{#include source.md}}\n```', 'Valueword', '```\nA  b\n```'],
];
const ofFiles: readonly Include[] = [
  ['Reused', '```\n{% include "parts/part.md" %}\n```', 'Reusedword', '```\nPart\n```'],
  ['Text', '```\n{{#include parts/part.txt}}\n```', 'Snippetword', '```\nPart\n```'],
  ['Value', '```\n{% include "parts/value.md" %}\n```', 'Valueword', '```\nA  b\n```'],
  ['Deep', '~~~\n{% include "parts/deep.md" %}\n~~~', 'Valueword', '~~~\nA  b\n~~~'],
];
const template = '{% if user %}\n{{ user }}\n{% endif %}';

/** Publishes a site with adaptive content. Its visitors may have the claim `beta`. */
async function adaptiveSite(): Promise<PublishedSite> {
  const site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const unsigned = {
    type: 'object',
    description: 'Unsigned claims of the site visitor.',
    additionalProperties: false,
    properties: { beta: { type: 'boolean', description: 'beta' } },
  };
  await site.call(updateAdaptiveSchema, site.site, {
    body: { jsonSchema: { type: 'object', additionalProperties: false, properties: { unsigned } } },
  });
  await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  return site;
}

it('visitors do not see hidden parts of files that pages include as code, by line, or as a whole', async () => {
  const site = await adaptiveSite();
  const textOf = async (title: string, headers = {}): Promise<string> => {
    const { body } = await site.visit(`${title.toLowerCase()}.md`, headers);
    return body.replace(/^# .*\n/, '').trim();
  };
  const search = async (word: string, headers = {}): Promise<string[]> => {
    const answer = await site.visit(`~gitbook/search?q=${word}`, { accept: 'application/json', ...headers });
    return answer.json<{ items: { title: string }[] }>().items.map(({ title }) => title);
  };
  const check = async (includes: readonly Include[]): Promise<void> => {
    for (const [title, , word, others] of includes) {
      expect([title, await textOf(title)]).toEqual([title, others]);
      expect([title, await search(word)]).toEqual([title, []]);
      if (word === 'Valueword') continue;
      expect(await textOf(title, { cookie })).toContain(word);
      expect(await search(word, { cookie })).toContain(title);
    }
  };
  await site.change(site.spaceId, [
    page('Mixed', mixed),
    page('Closed', 'Closedword\n', { condition, ref: 'closed' }),
    page('Below', 'Belowword\n', { into: 'closed' }),
    page('Source', `A ${value} b\n`),
    ...ofPages.map(([title, markdown]) => page(title, `${markdown}\n`)),
  ]);
  await check(ofPages);
  expect(await search('lastword')).toEqual(expect.arrayContaining(['Mixed', 'Fence', 'Lines', 'Nested']));
  await site.change(site.spaceId, [
    file('parts/part.md', `Part\n\n${secret('Reusedword')}`),
    file('parts/part.txt', `Part\n\n${secret('Snippetword')}`),
    file('parts/value.md', `A ${value} b\n`),
    file('parts/deep.md', '{% include "value.md" %}\n'),
    page('Html', `A ${value.replaceAll('="expression"', "='expression'")} b\n`),
    file('parts/template.html', `${template}\n`),
    page('Template', '```\n{{#include parts/template.html}}\n```\n'),
    ...ofFiles.map(([title, markdown]) => page(title, `${markdown}\n`)),
  ]);
  await check(ofFiles);
  expect(await textOf('Template')).toContain(template);
  expect([await textOf('Html'), await textOf('Html', { cookie })]).toEqual(['A  b', 'A Valueword b']);
});

it('a search finds the words of pages that other pages include as they are now', async () => {
  const { change, spaceId, visit, pages } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const search = async (word: string): Promise<string[]> => {
    const answer = await visit(`~gitbook/search?q=${word}`, { accept: 'application/json' });
    return answer
      .json<{ items: { title: string }[] }>()
      .items.map(({ title }) => title)
      .sort();
  };
  await change(spaceId, [
    file('parts/part.md', '{{#include ../later.md}}\n'),
    page('Inner', 'Walrus\n'),
    page('Outer', '{{#include inner.md}}\n'),
    page('Code', '```\n{{#include inner.md}}\n```\n'),
    page('Deep', '{% include "parts/part.md" %}\n'),
  ]);
  expect(await search('walrus')).toEqual(['Code', 'Inner', 'Outer']);
  const update = (id: string, markdown: string) => ({
    operation: 'update_page',
    page: pages.get(id),
    document: { markdown },
  });
  await change(spaceId, [update('Inner', 'Narwhal\n')]);
  expect([await search('walrus'), await search('narwhal')]).toEqual([[], ['Code', 'Inner', 'Outer']]);
  // A page that was missing, and one that no longer includes others.
  await change(spaceId, [page('Later', 'Dugong\n'), update('Outer', 'Seal\n')]);
  expect([await search('dugong'), await search('narwhal')]).toEqual([
    ['Deep', 'Later'],
    ['Code', 'Inner'],
  ]);
  await change(spaceId, [{ operation: 'delete_page', page: pages.get('Inner') }]);
  expect([await search('narwhal'), await search('seal')]).toEqual([[], ['Outer']]);
  // So many pages include others that they are not counted.
  const many = Array.from({ length: 101 }, (_, at) => page(`Many ${at}`, '{{#include later.md}}\n'));
  await change(spaceId, many);
  await change(spaceId, [update('Later', 'Manatee\n')]);
  expect([await search('dugong'), (await search('manatee')).length]).toEqual([[], 20]);
});
