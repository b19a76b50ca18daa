import { beforeAll, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const fence = '```';
const hostile = `<script>alert(1)</script>\n</code></pre>\n${fence}\n{% endopenapi-operation %}\n{% if true %}\n# Heading`;
const responses = { 200: { description: 'Pets' } };

/** A specification whose operations have code samples, or none. */
const spec = (more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  ...more,
  paths: {
    '/pets': {
      get: {
        responses,
        'x-codeSamples': [
          { lang: 'JavaScript', label: 'Node SDK', source: 'const pets = await client.pets.list();\n' },
          { lang: 'C#', source: 'var pets = client.Pets();' },
          { lang: `"><img src=x onerror=alert(1)>\n${fence}`, label: '<b>Bold</b>', source: hostile },
          { lang: 'go', source: { $ref: 'sample.go' } },
          { lang: 'go', source: '   ' },
          'none',
        ],
      },
      post: { responses, 'x-codeSamples': false },
      put: { responses, 'x-code-samples': [{ lang: 'Shell', source: 'pets put' }] },
      delete: { responses, 'x-codeSamples': [] },
    },
  },
});

const methods = ['get', 'post', 'put', 'delete'] as const;

async function publishSpec(site: PublishedSite, slug: string, value: object): Promise<void> {
  const body = { slug, source: { text: JSON.stringify(value) } };
  await site.call(createSpec, { organizationId: site.world.org }, { body });
  await runDueJobs(site.world.core, { signal: new AbortController().signal });
  for (const method of methods) {
    const markdown = `{% openapi-operation spec="${slug}" path="/pets" method="${method}" %}\n[Pets](openapi:${slug})\n{% endopenapi-operation %}`;
    const change = { operation: 'insert_page', title: `${slug} ${method}`, document: { markdown } };
    await site.change(site.spaceId, [change]);
  }
}

const titlesIn = (body: string) =>
  [...body.matchAll(/<div class="tab-title">(.*?)<\/div>/g)].map(([, title]) => title);

describe('code samples of specifications', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
    await publishSpec(site, 'pets', spec());
    await publishSpec(site, 'bare', spec({ 'x-codeSamples': false }));
    const computed = {
      type: 'builtin:openapi',
      props: { models: false },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
    };
    await site.change(site.spaceId, [
      { operation: 'insert_page', title: 'Reference', type: 'computed', computed, document: {} },
    ]);
  });

  it('replace generated samples', async () => {
    const { body } = await site.visit('pets-get');
    expect(titlesIn(body)).toEqual(['Node SDK', 'C#', '&lt;b&gt;Bold&lt;/b&gt;']);
    expect(body).toContain('<span class="hljs-keyword">await</span> client.');
    expect(body).toContain('client.Pets();');
    expect(titlesIn((await site.visit('pets-put')).body)).toEqual(['Shell']);
  });

  it('are escaped, whatever they contain', async () => {
    const { body } = await site.visit('pets-get');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).toContain('{% endopenapi-operation %}');
    expect(body).not.toMatch(/<script>alert|<img src=x|<b>Bold|<h1[^>]*>Heading/);
  });

  it('are in the Markdown of generated pages, where their content cannot end the block', async () => {
    const { body } = await site.visit('llms-full.txt');
    expect(body).toContain(
      `\`Node SDK\`\n\n${fence}javascript\nconst pets = await client.pets.list();\n${fence}\n`,
    );
    expect(body).toContain(`\`C#\`\n\n${fence}c#\nvar pets = client.Pets();\n${fence}\n`);
    expect(body).toContain(`\`<b>Bold</b>\`\n\n${fence}\`\n${hostile}\n${fence}\`\n`);
    const generated = await site.visit('default');
    expect(titlesIn(generated.body).slice(0, 3)).toEqual(['Node SDK', 'C#', '&lt;b&gt;Bold&lt;/b&gt;']);
    expect(generated.body).not.toMatch(/<script>alert|<h1[^>]*>Heading/);
  });

  it('can be disabled for an operation or a whole specification', async () => {
    expect(titlesIn((await site.visit('pets-post')).body)).toEqual([]);
    expect(titlesIn((await site.visit('bare-delete')).body)).toEqual([]);
    expect(titlesIn((await site.visit('bare-get')).body)).toContain('Node SDK');
  });

  it('are generated if the specification has none', async () => {
    expect(titlesIn((await site.visit('pets-delete')).body)).toEqual([
      'curl',
      'JavaScript',
      'Python',
      'HTTP',
    ]);
  });
});
