import { expect, it } from 'vitest';
import { markdownToDocument } from '../../src/richtext/markdown.ts';
import { computePages } from '../../src/specification/computed-pages.ts';

it('puts all models on one page, however many there are', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `account_session_resource_${index}`);
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object' }]));
  const root = { openapi: '3.1.0', info: { title: 'Bank' }, paths: {}, components: { schemas } };
  const [page, ...others] = await computePages(root, { slug: 'bank', url: 'openapi:bank' }, { models: true });
  expect(others).toEqual([]);
  const { nodes } = markdownToDocument(page!.markdown());
  const listed = nodes
    .filter(({ type }) => type !== 'heading-1')
    .map(({ type, data }) => {
      expect(type).toBe('openapi-schemas');
      return data!['schemas'] as string[];
    });
  expect(listed.flat()).toEqual(names);
});

it('describes the models on their page, as far as a page has room for them', async () => {
  const url = { type: 'string', description: 'Where it is.', maxLength: 9 };
  const models = async (schemas: object) => {
    const [page] = await computePages(
      { openapi: '3.1.0', info: { title: 'Bank' }, paths: {}, components: { schemas } },
      { slug: 'bank', url: 'openapi:bank' },
      { models: true },
    );
    return page!.markdown();
  };
  expect(
    await models({
      'Account <T>': { description: 'Has money. {% endopenapi-schemas %}', properties: { url } },
      Kind: { type: 'string', enum: ['a', 'b'] },
    }),
  ).toBe(`# Models

{% openapi-schemas spec="bank" schemas="Account <T>,Kind" grouped="true" %}
[OpenAPI bank](openapi:bank)

## Account \\<T>

object

Has money. { % endopenapi-schemas %}

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`url\` | string | no | Where it is. \`max length: 9\` |

## Kind

string: \`a\`, \`b\`

{% endopenapi-schemas %}
`);
  const long = { type: 'object', description: 'x'.repeat(1000) };
  const many = await models(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`Model${at}`, long])));
  expect(many.length).toBeLessThan(60_000);
  expect(many).toContain(',Model99"');
});

it('splits a tag into several pages if its page would be too large to read', async () => {
  const operation = { description: 'x'.repeat(30_000), responses: {} };
  const pathsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}`, { get: operation }]));
  const pagesOf = (count: number, grouping: string) =>
    computePages(
      { openapi: '3.1.0', info: { title: 'Bank' }, paths: pathsOf(count), tags: [] },
      { slug: 'bank', url: 'openapi:bank' },
      { grouping },
    );
  const pages = await pagesOf(40, 'by-tag');
  expect(pages.map(({ title }) => title).slice(0, 3)).toEqual(['Default', 'Default (2)', 'Default (3)']);
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
  const shown = pages.flatMap(({ markdown }) =>
    markdownToDocument(markdown()).nodes.filter(({ type }) => type === 'openapi-operation'),
  );
  expect(shown.map(({ data }) => data!['path'])).toEqual(Object.keys(pathsOf(40)));
  expect((await pagesOf(20, 'by-tag')).map(({ title }) => title)).toEqual(['Default']);
  expect((await pagesOf(40, 'by-operation')).map(({ children }) => children.length)).toEqual([40]);
});

it('adds a link to the specification to the first page only', async () => {
  const description = '# About\n\nOne.\n\n## More\n\nTwo.';
  const root = { openapi: '3.1.0', info: { title: 'Bank', description }, paths: {} };
  const pagesOf = async (downloadLink: boolean) => {
    const pages = await computePages(root, { slug: 'bank', url: 'openapi:bank' }, { downloadLink });
    return pages.map(({ markdown }) => markdown());
  };
  const [about, more] = ['# About\n\nOne.\n', '# More\n\nTwo.\n'];
  expect(await pagesOf(true)).toEqual([
    `${about}\n[Download the OpenAPI specification bank](openapi:bank)\n`,
    more,
  ]);
  expect(await pagesOf(false)).toEqual([about, more]);
});
