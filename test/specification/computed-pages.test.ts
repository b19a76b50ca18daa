import { expect, it } from 'vitest';
import { markdownToDocument } from '../../src/richtext/markdown.ts';
import { computePages } from '../../src/specification/computed-pages.ts';

it('has all models on one page, however many there are', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `account_session_resource_${index}`);
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object' }]));
  const root = { openapi: '3.1.0', info: { title: 'Bank' }, paths: {}, components: { schemas } };
  const [page, ...others] = computePages(root, { slug: 'bank', url: 'openapi:bank' }, { models: true });
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
