import { expect, it } from 'vitest';
import { renderDocument } from '../../src/render/render-document.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';
import { computePages } from '../../src/specification/computed-pages.ts';
import { mockBusyClock } from '../support/busy-clock.ts';
import { renderContext } from '../support/render-context.ts';

const block =
  '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[Pets](openapi:pets)\n{% endopenapi-operation %}';

async function renderOperation(operation: object): Promise<string> {
  const specification = () => ({ openapi: '3.1.0', paths: { '/pets': { get: operation } } });
  const { body } = await renderDocument(markdownToRead(block), renderContext({ specification }));
  return body.text;
}

/** Renders an operation whose response has the given description and content. */
async function renderResponse(description: string, content?: object): Promise<string> {
  const responses = { 200: { description, ...(content === undefined ? {} : { content }) } };
  const text = await renderOperation({ responses });
  return /<(div|details) class="response">[^]*<\/\1>/.exec(text)?.[0] ?? '';
}

const json = { 'application/json': { schema: { type: 'string' } } };
const status = '<span class="status status-2">200</span>';

it.each([
  [
    'All **pets**',
    `<summary>${status}<span>All <strong>pets</strong></span></summary><div class="details-body"><p class="media-type">`,
  ],
  [
    'Pets\n\n* a',
    `<summary>${status}<span>Pets</span></summary><div class="details-body"><ul><li>a</li></ul><p`,
  ],
  ['* a', `<summary>${status}<span></span></summary><div class="details-body"><ul><li>a</li></ul><p`],
  ['', `<summary>${status}<span></span></summary><div class="details-body"><p`],
])('puts no blocks into the summary of a response with the description %j', async (description, expected) => {
  expect(await renderResponse(description, json)).toContain(expected);
});

it('shows the whole description of a response without content', async () => {
  expect(await renderResponse('Pets\n\n* a')).toContain(
    `<div class="response">${status}<div><p>Pets</p><ul><li>a</li></ul></div></div>`,
  );
});

it('shows whether a body is required, and groups formats with the same schema', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const content = { 'application/json': { schema }, 'application/xml': { schema } };
  const text = await renderOperation({ requestBody: { required: true, content } });
  expect(text).toContain('Body <span class="required">required</span>');
  expect(text).toContain(
    '<code>application/json</code> <code>application/xml</code> </p><div class="schema-body">',
  );
  expect(await renderOperation({ requestBody: { content } })).not.toContain('class="required"');
});

it('shows the example of the first format that has one', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const content = { 'application/xml': { schema }, 'application/json': { schema } };
  const text = await renderOperation({ responses: { 200: { description: 'Pets', content } } });
  expect(text).toMatch(/data-tab="200"[^]*name[^]*text/);
});

it('shows the fields of all named schemas, even of hundreds', async () => {
  const Pet = (at: number) => ({
    properties: { [`f${at}`]: { type: 'string' }, more: { properties: { deep: {} } } },
  });
  const schemas = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`Pet${at}`, Pet(at)]));
  const specification = () => ({ openapi: '3.1.0', components: { schemas } });
  const tag = '{% openapi-schemas spec="pets" %}\n[Pets](openapi:pets)\n{% endopenapi-schemas %}';
  const { body } = await renderDocument(markdownToRead(tag), renderContext({ specification }));
  expect(body.text).toContain('<code>f399</code>');
  expect(body.text.match(/<code>deep<\/code>/g)).toHaveLength(400);
});

it('gives schemas the anchors of their descriptions, and lists them in the outline', async () => {
  const specification = () => ({
    openapi: '3.1.0',
    info: { title: 'Pets' },
    components: { schemas: { Pet: {}, 'Page <Pet>': {}, pet: {} } },
  });
  const [page] = await computePages(specification(), { slug: 'pets', url: 'openapi:pets' }, { models: true });
  const markdown = page!.markdown();
  const { body, outline } = await renderDocument(
    markdownToRead(markdown.replace('# Models', '')),
    renderContext({ specification }),
  );
  const shown = [...body.text.matchAll(/<details class="schema" id="([^"]*)">/g)].map(([, id]) => id);
  expect(shown).toEqual(
    scanSections(markdown).flatMap(({ anchor }) => (anchor === 'models' ? [] : [anchor])),
  );
  expect(outline.map(({ title, anchor }) => [title, anchor])).toEqual([
    ['Pet', 'pet'],
    ['Page <Pet>', 'page-pet'],
    ['pet', 'pet-1'],
  ]);
});

it('separates credentials that are required together with a plus sign, but not alternatives', async () => {
  const shown = async (security: readonly object[]): Promise<string[]> =>
    [...(await renderOperation({ security })).matchAll(/<div>(\+ )?<strong>(\w+)/g)].map(
      ([, plus = '', name]) => plus + name,
    );
  expect(await shown([{ a: [], b: [] }, { c: [] }])).toEqual(['a', '+ b', 'c']);
});

it('shows that credentials are optional', async () => {
  expect(await renderOperation({ security: [{ a: [] }, {}] })).toContain('<li>no credentials</li>');
  expect(await renderOperation({ security: [{}] })).not.toContain('no credentials');
});

it('shows the links of a response', async () => {
  const links = { next: { operationRef: '#/paths/~1pets/get', parameters: { id: '$response.body#/<id>' } } };
  const text = await renderOperation({ responses: { 200: { description: 'Pets', links } } });
  expect(text).toContain(
    '<p class="operation-title">Links</p><ul class="fields"><li><p class="field"><code>next</code> <span class="type">GET /pets</span></p><p class="facts"><code>id: $response.body#/&lt;id&gt;</code> </p></li></ul>',
  );
});

it('shows callbacks with their bodies, an example and their responses', async () => {
  const schema = { type: 'object', properties: { at: { type: 'string' } } };
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Taken' } },
  };
  const text = await renderOperation({ callbacks: { onData: { '{$url}/data': { post } } } });
  expect(text).toContain(
    '<p class="operation-title">Callbacks</p><details class="response"><summary><span class="method method-post">post</span> <span>onData</span></summary><div class="details-body"><p><code>{$url}/data</code></p>',
  );
  expect(text).toContain('<code>at</code>');
  expect(text).toContain('data-tab="Body"');
  expect(text).toContain('Taken');
});

it('shows the values of a discriminator with their schemas', async () => {
  const schema = {
    oneOf: [{ type: 'string' }, { type: 'object' }],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  };
  expect(await renderResponse('Pets', { 'application/json': { schema } })).toContain(
    '<p class="values">kind: <code>cat → Cat</code> </p>',
  );
});

it('lets other requests through between the schemas of a block', async () => {
  mockBusyClock();
  const names = Array.from({ length: 20 }, (_, at) => `Model${at}`);
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const specification = () => ({ openapi: '3.1.0', components: { schemas } });
  const document = markdownToRead(
    '{% openapi-schemas spec="pets" grouped="true" %}\n{% endopenapi-schemas %}',
  );
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { body } = await renderDocument(document, renderContext({ specification }));
  isDone = true;
  expect(names.filter((name) => body.text.includes(`<code>${name}</code>`))).toEqual(names);
  expect(turns).toBeGreaterThanOrEqual(names.length);
});

it('names operations on a page with a title, unless a heading says the same', async () => {
  const draw = async (markdown: string, operation: object, pageTitle?: string) => {
    const specification = () => ({ openapi: '3.1.0', paths: { '/pets': { get: operation } } });
    const context = renderContext({ specification, ...(pageTitle === undefined ? {} : { pageTitle }) });
    const { body, outline } = await renderDocument(markdownToRead(markdown), context);
    return [/<h\d[^>]*>[^<]*<\/h\d>(?=<p class="operation-head">)/.exec(body.text)?.[0], outline.at(-1)];
  };
  const operation = { summary: 'List <pets>' };
  const listed = { title: 'List <pets>', anchor: 'get-pets' };
  expect(await draw(`## Calls\n\n${block}`, operation, 'Pets')).toEqual([
    '<h3>List &lt;pets&gt;</h3>',
    { level: 3, ...listed },
  ]);
  expect(await draw(block, operation, 'Pets')).toEqual([
    '<h2>List &lt;pets&gt;</h2>',
    { level: 2, ...listed },
  ]);
  expect(await draw(block, operation, 'List <pets>')).toEqual([undefined, undefined]);
  expect(await draw(block, operation)).toEqual([undefined, undefined]);
  expect(await draw(block, {}, 'Pets')).toEqual([undefined, undefined]);
  const [title] = await draw(`## List \\<pets>\n\n${block}`, operation, 'Pets');
  expect(title).toBe(undefined);
});
