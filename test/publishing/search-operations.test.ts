import { beforeAll, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec, deleteSpec, replaceSpec } from '../../src/resources/openapi/contract.ts';
import { buildFolder } from '../static-site/built-site.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const yaml = (word: string) => `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: https://api.pets.test/v1/ }]
paths:
  /pets/{petId}:
    get:
      summary: Fetch one animal
      description: |
        Answers with a ${word}.

        # Remarks

        Sleeping ones are left out.
      parameters: [{ name: shoeSize, in: query, schema: { type: string }, description: In inches }]
      responses: { '200': { description: ok } }
  /shops: { post: { operationId: openShop, responses: { '201': { description: opened } } } }
`;
const block = (path: string, method = 'get') =>
  `{% openapi-operation spec="pets" path="${path}" method="${method}" %}\n[OpenAPI pets](https://x.test)\n{% endopenapi-operation %}`;

let site: PublishedSite;
const org = () => ({ organizationId: site.world.org });
const runJobs = () => runDueJobs(site.world.core, { signal: new AbortController().signal });

interface Found {
  readonly title: string;
  readonly section?: string;
  readonly excerpt: string;
  readonly href: string;
}

async function search(query: string, cookie = ''): Promise<readonly Found[]> {
  const path = `~gitbook/search?q=${encodeURIComponent(query)}`;
  return (await site.visit(path, { accept: 'application/json', cookie })).json<{ items: Found[] }>().items;
}

const hrefs = async (query: string) => (await search(query)).map(({ href }) => href);

const pets = '/sites/acme/docs/pets#get-pets-petid';

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Welcome.' },
    { title: 'Pets', text: `Above.\n\n## Calls\n\n${block('/pets/{petId}')}\n\nBehind.` },
    { title: 'Stores', text: block('/shops', 'post') },
    {
      title: 'Closed',
      text: `{% if visitor.claims.unsigned.beta %}\n${block('/pets/{petId}')}\n{% endif %}\n`,
    },
  ]);
  await site.call(createSpec, org(), { body: { slug: 'pets', source: { text: yaml('walrus') } } });
  await runJobs();
});

describe('a search of a site finds the operations of hand-written blocks', () => {
  it.each(['/pets/{petId}', 'Fetch one animal', 'walrus', 'sleeping', 'shoeSize', 'inches'])(
    'by %j, and leads to the operation',
    async (query) => {
      expect(await search(query)).toMatchObject([
        {
          title: 'Pets',
          section: 'Fetch one animal',
          href: pets,
          excerpt: expect.stringContaining('walrus'),
        },
      ]);
    },
  );

  it('names an operation without a summary by its operationId', async () => {
    expect(await search('/shops')).toMatchObject([
      { section: 'openShop', href: '/sites/acme/docs/stores#post-shops' },
    ]);
    expect(await hrefs('openShop')).toEqual(['/sites/acme/docs/stores#post-shops']);
  });

  it('leaves the other text to its heading, and the link to the specification out', async () => {
    expect(await hrefs('behind')).toEqual(['/sites/acme/docs/pets#calls']);
    expect(await hrefs('openapi')).toEqual([]);
  });

  it('shows nothing of an operation behind a condition that is false for the visitor', async () => {
    expect((await search('walrus')).map(({ title }) => title)).toEqual(['Pets']);
  });

  it('in the MCP server', async () => {
    const { body } = await site.server.inject({
      method: 'POST',
      url: '/sites/acme/docs/~gitbook/mcp',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'searchDocumentation', arguments: { query: '/pets/{petId}' } },
      },
    });
    expect(JSON.parse(body)).toMatchObject({
      result: { content: [{ text: expect.stringContaining(`Link: https://docs.test${pets}\n`) }] },
    });
  });

  it('in a static copy', async () => {
    const built = buildFolder(site);
    await built.build();
    const texts = Object.keys(built.files()).filter((file) => file.startsWith('~search/text-'));
    expect(texts.map(built.read).join('')).toContain('["Fetch one animal","get-pets-petid",');
  });
});

describe('after a new version of the specification', () => {
  it('finds its words instead of the old ones', async () => {
    await site.call(
      replaceSpec,
      { ...org(), specSlug: 'pets' },
      { body: { source: { text: yaml('otter') } } },
    );
    await runJobs();
    expect([await hrefs('walrus'), await hrefs('otter')]).toEqual([[], [pets]]);
  });

  it('finds nothing of a deleted specification, and the words of a new one in its place', async () => {
    await site.call(deleteSpec, { ...org(), specSlug: 'pets' });
    expect([await hrefs('otter'), await hrefs('above')]).toEqual([[], ['/sites/acme/docs/pets']]);
    await site.call(createSpec, org(), { body: { slug: 'pets', source: { text: yaml('badger') } } });
    await runJobs();
    expect(await hrefs('badger')).toEqual([pets]);
  });

  it('finds the words of included operations', async () => {
    await site.change(site.spaceId, [
      {
        operation: 'put_text',
        role: 'include',
        title: 'part',
        git: { path: '.gitbook/includes/part.md' },
        text: block('/pets/{petId}'),
      },
      {
        operation: 'insert_page',
        title: 'Including',
        document: { markdown: '{% include ".gitbook/includes/part.md" %}\n' },
      },
    ]);
    expect(await hrefs('badger')).toContain('/sites/acme/docs/including#get-pets-petid');
  });
});
