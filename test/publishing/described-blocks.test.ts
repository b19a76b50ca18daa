import { beforeAll, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec, deleteSpec, replaceSpec } from '../../src/resources/openapi/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const yaml = (version: number) => `openapi: 3.1.0
info: { title: Pets, version: '${version}' }
servers: [{ url: https://api.pets.test/v1/ }]
paths:
  /pets/{id}:
    servers: [{ url: 'https://{region}.pets.test', variables: { region: { default: eu } } }]
    get:
      summary: Get *one* <pet>
      deprecated: true
      description: |
        Version ${version} {% endopenapi %}

        # Details

        See [the setup](setup.md) and [nothing](gone.md).
      parameters: [{ name: id, in: path, required: true, schema: { type: string }, description: Its ID }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
  /pets:
    post:
      summary: Create a pet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '201': { description: made } }
webhooks:
  petAdded: { post: { summary: A pet was added, responses: { '204': { description: received } } } }
components:
  schemas:
    Pet: { type: object, required: [name], description: An animal, properties: { name: { type: string }, kind: { $ref: '#/components/schemas/Kind' } } }
    Kind: { type: string, enum: [cat, dog] }
`;
const getPet = (version: number) => `**Get *one* \\<pet>**

Deprecated.

\`GET https://eu.pets.test/pets/{id}\`

Version ${version} { % endopenapi %}

### Details

See [the setup](https://docs.test/sites/acme/docs/setup) and nothing.

**Path parameters**

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`id\` | string | yes | Its ID |

**Responses**

\`200\` ok

\`application/json\`: \`Pet\`

An animal

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`name\` | string | yes |  |
| \`kind\` | \`Kind\` | no |  |
`;
const operation = (spec: string, path = '/pets/{id}', method = 'get') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[OpenAPI ${spec}](https://x.test)\n{% endopenapi-operation %}`;
const byAddress = `{% openapi src="openapi:pets" path="/pets/{id}" method="get" %}\n[pets](openapi:pets)\n{% endopenapi %}`;

let site: PublishedSite;
const runJobs = () => runDueJobs(site.world.core, { signal: new AbortController().signal });

async function addPage(title: string, markdown: string): Promise<void> {
  await site.change(site.spaceId, [{ operation: 'insert_page', title, document: { markdown } }]);
}

async function read(path: string): Promise<string> {
  return (await site.visit(path)).body;
}

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Welcome', text: byAddress },
    { title: 'Setup', text: 'How to.' },
  ]);
  const org = { organizationId: site.world.org };
  await site.call(createSpec, org, { body: { slug: 'pets', source: { text: yaml(1) } } });
  await runJobs();
});

describe('the Markdown of a page with a block of a specification', () => {
  it('shows the operation in every form of Markdown', async () => {
    const block = `{% openapi src="openapi:pets" path="/pets/{id}" method="get" %}\n${getPet(1)}\n{% endopenapi %}\n`;
    expect(await read('index.md')).toBe(`# Welcome\n\n${block}`);
    expect((await site.visit('', { accept: 'text/markdown' })).body).toBe(`# Welcome\n\n${block}`);
    expect(await read('llms-full.txt')).toContain(block);
    const message = { method: 'tools/call', params: { name: 'getPage', arguments: { url: '/' } } };
    const { body } = await site.server.inject({
      method: 'POST',
      url: '/sites/acme/docs/~gitbook/mcp',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, ...message },
    });
    expect(JSON.parse(body)).toMatchObject({
      result: { content: [{ text: `# Welcome\n\n${block}` }] },
    });
  });

  it('shows the operation of a file that has the name of the specification', async () => {
    const tag = (src: string) => `{% openapi src="${src}" path="/pets/{id}" method="get" %}`;
    await addPage(
      'Files',
      `${tag('../api/pets.yaml')}\n\n${tag('https://x.test/v1/pets.json?a=1')}\n\n${tag('dogs.yaml')}`,
    );
    expect((await read('files.md')).split('**Path parameters**')).toHaveLength(2);
    expect((await read('files')).split('class="operation"')).toHaveLength(2);
    expect((await read('files')).split('operation-missing')).toHaveLength(3);
  });

  it('leaves the blocks behind a million characters of descriptions as they are', async () => {
    const tag = '{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}';
    await addPage('Many', `${tag}\n`.repeat(5000));
    const text = await read('many.md');
    expect(text.length).toBeLessThan(1_500_000);
    expect(text.split('**Path parameters**').length).toBeGreaterThan(1500);
    expect(text).toMatch(/(?:\n\{% openapi-operation [^\n]*){3000}\n$/);
  });

  it('shows an operation whose tags are on one line', async () => {
    const line = operation('pets', '/pets', 'post').replaceAll('\n', '');
    await addPage('Line', `${line}\n\n${line.replace('endopenapi-operation', 'endother')}`);
    const text = await read('line.md');
    expect(text.split('**Create a pet**')).toHaveLength(2);
    expect(text.split('[OpenAPI pets]')).toHaveLength(2);
  });

  it('shows webhooks and schemas, and operations without a closing tag or in a list', async () => {
    await addPage(
      'Parts',
      `{% openapi-operation spec="pets" path="/pets" method="post" %}

Text

* Item

  > ${operation('pets', '/pets', 'post').replaceAll('\n', '\n  > ')}

{% openapi-webhook spec="pets" name="petAdded" method="post" %}
{% endopenapi-webhook %}

{% openapi-schemas spec="pets" schemas="Kind, Pet, Gone" grouped="true" %}
{% hint style="info" %}
[OpenAPI pets](https://x.test)
{% endhint %}
{% endopenapi-schemas %}`,
    );
    const post = [
      '{% openapi-operation spec="pets" path="/pets" method="post" %}',
      '**Create a pet**',
      '',
      '`POST https://api.pets.test/v1/pets`',
      '',
      '**Body** (required)',
      '',
      '`application/json`: `Pet`',
      '',
      'An animal',
      '',
      '| Name | Type | Required | Description |',
      '| --- | --- | --- | --- |',
      '| `name` | string | yes |  |',
      '| `kind` | `Kind` | no |  |',
      '',
      '**Responses**',
      '',
      '`201` made',
      '',
      '{% endopenapi-operation %}',
    ];
    expect(await read('parts.md')).toBe(
      [
        '# Parts',
        '',
        ...post,
        '',
        'Text',
        '',
        '* Item',
        '',
        ...post.map((line) => `  > ${line}`.trimEnd()),
        '',
        '{% openapi-webhook spec="pets" name="petAdded" method="post" %}',
        '**A pet was added**',
        '',
        '`POST petAdded`',
        '',
        '**Responses**',
        '',
        '`204` received',
        '',
        '{% endopenapi-webhook %}',
        '',
        '{% openapi-schemas spec="pets" schemas="Kind, Pet, Gone" grouped="true" %}',
        '**`Kind`**: string: `cat`, `dog`',
        '',
        '**`Pet`**: object',
        '',
        'An animal',
        '',
        '| Name | Type | Required | Description |',
        '| --- | --- | --- | --- |',
        '| `name` | string | yes |  |',
        '| `kind` | `Kind` | no |  |',
        '',
        '{% endopenapi-schemas %}',
        '',
      ].join('\n'),
    );
  });

  it('does not change code, and blocks of missing operations and specifications', async () => {
    const blocks = [
      `\`\`\`\n${byAddress}\n\`\`\``,
      operation('pets', '/gone').replace('https', 'mailto:a@b.test?x'),
      operation('gone'),
      '{% openapi src="https://x.test/a.yaml" path="/pets" method="get" %}\n{% endopenapi %}',
      '{% openapi-schemas spec="pets" schemas="toString" %}\n{% endopenapi-schemas %}',
    ];
    await addPage('Others', blocks.join('\n\n'));
    expect(await read('others.md')).toBe(`# Others\n\n${blocks.join('\n\n')}\n`);
  });

  it('does not show operations to visitors for whom the condition around them is false', async () => {
    await addPage('Inner', `{% if visitor.claims.plan == "pro" %}\n${operation('pets')}\n{% endif %}\n\nEnd`);
    expect(await read('inner.md')).toBe('# Inner\n\nEnd\n');
  });

  it('shows the schemas of a generated page', async () => {
    await site.change(site.spaceId, [
      {
        operation: 'insert_page',
        title: 'Reference',
        type: 'computed',
        computed: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
        },
        document: {},
      },
    ]);
    expect(await read('models.md')).toContain('## Kind\n\nstring: `cat`, `dog`\n');
    expect((await read('default.md')).match(/Path parameters/g)).toHaveLength(1);
  });
});

it('shows the latest version of a specification, and nothing of a deleted one', async () => {
  const org = { organizationId: site.world.org, specSlug: 'pets' };
  const readAll = () => Promise.all(['index.md', 'llms-full.txt'].map((path) => site.visit(path)));
  const before = await readAll();
  await site.call(replaceSpec, org, { body: { source: { text: yaml(2) } } });
  await runJobs();
  const after = await readAll();
  for (const [at, { body, headers }] of after.entries()) {
    expect(body).toContain(getPet(2));
    expect(headers['etag']).not.toBe(before[at]?.headers['etag']);
  }
  await site.call(deleteSpec, org);
  for (const { body } of await readAll()) {
    expect(body).not.toContain('Version');
    expect(body).toContain(byAddress);
  }
});
