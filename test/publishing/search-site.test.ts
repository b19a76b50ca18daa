import { expect, it } from 'vitest';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { addSection, listSiteSections } from '../../src/resources/site-sections/contract.ts';
import { updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite } from './published-site.ts';

const put = (role: string, path: string, text: string) => ({
  operation: 'put_text',
  role,
  title: path,
  git: { path: `.gitbook/${path}` },
  text,
});

it('a search finds included texts and values of expressions, as the visitor sees them', async () => {
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
  const some = '{% if visitor.claims.unsigned.beta %}\nBetaword\n{% endif %}\n';
  await site.change(site.spaceId, [
    put('variables', 'vars.yaml', 'engine: Walrus\n'),
    put('include', 'includes/part.md', `Everyword\n\n${some}`),
    {
      operation: 'insert_page',
      title: 'Use',
      document: { markdown: '{% include ".gitbook/includes/part.md" %}\n' },
    },
    {
      operation: 'insert_page',
      title: 'Value',
      document: { markdown: 'On <code class="expression">space.vars.engine</code>.\n' },
    },
  ]);
  const search = async (query: string, cookie = ''): Promise<unknown[]> => {
    const headers = { accept: 'application/json', cookie };
    const { items } = (await site.visit(`~gitbook/search?q=${query}`, headers)).json<{ items: object[] }>();
    return items.map((item) => ('title' in item && 'excerpt' in item ? [item.title, item.excerpt] : item));
  };
  const beta = `gitbook-visitor-public=${encodeURIComponent('{"beta":true}')}`;
  expect(await search('everyword')).toEqual([['Use', 'Everyword']]);
  expect(await search('walrus')).toEqual([['Value', 'On Walrus.']]);
  expect(await search('betaword')).toEqual([]);
  expect(await search('betaword', beta)).toEqual([['Use', expect.stringContaining('Betaword')]]);
  // Only the few pages whose values depend on the visitor are read again.
  const value = 'On <code class="expression">space.vars.engine</code>.\n';
  await site.change(
    site.spaceId,
    Array.from({ length: 45 }, (_, at) => ({
      operation: 'insert_page',
      title: `Page ${at}`,
      document: { markdown: `Common. ${value}` },
    })),
  );
  for (const at of [0, 20, 44])
    expect(await search(`common%20${at}`)).toEqual([[`Page ${at}`, expect.anything()]]);
  await site.change(site.spaceId, [put('include', 'includes/part.md', 'Laterword\n')]);
  expect([await search('everyword'), await search('laterword')]).toEqual([[], [['Use', 'Laterword']]]);
  // Reusable content and code may include further files.
  const file = (path: string, text: string) => ({ ...put('snippet', path, text), git: { path } });
  await site.change(site.spaceId, [
    file('beta.txt', some.replace('Beta', 'Gamma')),
    file('code.txt', `A\n\`\`\`\n\n${some.replace('Beta', 'Delta')}`),
    put('include', 'includes/outer.md', '{{#include ../../beta.txt}}\n'),
    {
      operation: 'insert_page',
      title: 'Outer',
      document: { markdown: '{% include ".gitbook/includes/outer.md" %}\n' },
    },
    {
      operation: 'insert_page',
      title: 'Code',
      document: { markdown: '```\n{{#include code.txt}}\n' },
    },
  ]);
  expect([await search('gammaword'), await search('deltaword')]).toEqual([[], []]);
  for (const [title, word] of [
    ['Outer', 'Gammaword'],
    ['Code', 'Deltaword'],
  ] as const)
    expect(await search(word, beta)).toEqual([[title, expect.stringContaining(word)]]);
});

it('a search leads to the visible place of a space that is shown twice, once hidden', async () => {
  const { call, site, spaceId, visit } = await publishedSite([{ title: 'Start', text: 'Everyword' }]);
  await call(addSection, site, { body: { spaceId, title: 'Again' } });
  const { items } = await call(listSiteSections, site);
  const siteSpaceId = items.find((item) => item.default)?.siteSpaces[0]?.id ?? '';
  await call(updateSiteSpace, { ...site, siteSpaceId }, { body: { hidden: true } });
  const { body } = await visit('~gitbook/search?q=everyword', { accept: 'application/json' });
  expect(JSON.parse(body)).toMatchObject({ items: [{ href: '/sites/acme/docs/again/' }] });
});

it('a search for a mistyped word finds pages with the similar word of a visible title', async () => {
  const site = await publishedSite([
    { title: 'Kubernetes', text: 'Run it in a cluster.' },
    { title: 'Setup', text: 'Kubernetes comes first.' },
    { title: 'Kubrntess', text: 'Secret', hidden: true },
  ]);
  const search = async (query: string) =>
    (await site.visit(`~gitbook/search?q=${query}`, { accept: 'application/json' })).json<{
      items: readonly { readonly title: string; readonly marks: readonly number[] }[];
    }>().items;
  const found = await search('kubrntes%20cluster');
  expect(found.map(({ title }) => title)).toEqual(['Kubernetes']);
  expect((await search('kubrntes')).map(({ title, marks }) => [title, marks])).toEqual([
    ['Kubernetes', []],
    ['Setup', [0, 10]],
  ]);
  expect(await search('qubrntes')).toEqual([]);
});

it('a page of which only a heading matches is shown with its first text', async () => {
  const site = await publishedSite([
    { title: 'Quokka', text: '## Food\n\n## Home\n\nThey live on islands.' },
    { title: 'Numbat', text: '## Drink' },
  ]);
  const search = async (query: string): Promise<unknown> =>
    (await site.visit(`~gitbook/search?q=${query}`, { accept: 'application/json' })).json();
  expect(await search('food')).toMatchObject({
    items: [{ title: 'Quokka', excerpt: 'They live on islands.' }],
  });
  expect(await search('drink')).toMatchObject({ items: [{ title: 'Numbat', excerpt: '' }] });
});
