import { expect, it } from 'vitest';
import { renderDocument } from '../../src/render/render-document.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { renderContext } from '../support/render-context.ts';

const block =
  '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[Pets](openapi:pets)\n{% endopenapi-operation %}';

/** Renders an operation whose response has this description and this content. */
async function renderResponse(description: string, content?: object): Promise<string> {
  const responses = { 200: { description, ...(content === undefined ? {} : { content }) } };
  const specification = () => ({ openapi: '3.1.0', paths: { '/pets': { get: { responses } } } });
  const { body } = await renderDocument(markdownToRead(block), renderContext({ specification }));
  return /<(div|details) class="response">[^]*<\/\1>/.exec(body.text)?.[0] ?? '';
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
])('the summary of a response with the description %j has no blocks', async (description, expected) => {
  expect(await renderResponse(description, json)).toContain(expected);
});

it('a response without a content shows all of its description', async () => {
  expect(await renderResponse('Pets\n\n* a')).toContain(
    `<div class="response">${status}<div><p>Pets</p><ul><li>a</li></ul></div></div>`,
  );
});
