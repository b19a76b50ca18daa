import { expect, it } from 'vitest';
import { renderPages } from '../../src/specification/specification-pages.ts';

const responses = { 200: { description: 'Fine' } };
const pagesOf = (more: object) =>
  renderPages({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {}, ...more }, 'pets');
const summary = (more: object) => pagesOf(more).get('SUMMARY.md');

it('has a page for each tag, in the order of the specification, followed by unlisted tags', () => {
  const get = (...tags: unknown[]) => ({ get: { tags, responses } });
  const paths = {
    '/a': get('Zoo'),
    '/b': get('Cats'),
    '/c': get('Dogs'),
    '/d': get(),
    '/e': get('Zoo', 'Cats'),
    '/f': get(7),
  };
  const tags = [{ name: 'Dogs', description: 'All dogs' }, 'Zoo', null, { name: 'Cats' }];
  expect(summary({ paths, tags })).toBe(
    '# Table of contents\n\n* [Pets](README.md)\n* [Dogs](dogs.md)\n* [Cats](cats.md)\n* [Zoo](zoo.md)\n* [Operations](operations.md)\n* [7](7.md)\n',
  );
  expect(summary({ paths: { '/a': get('Zoo') } })).toContain('* [Zoo](zoo.md)\n');
  expect(pagesOf({ paths, tags }).get('dogs.md')).toContain('All dogs');
});

it('has a page for webhooks', () => {
  const webhooks = { born: { post: { responses } } };
  expect(summary({ webhooks })).toBe(
    '# Table of contents\n\n* [Pets](README.md)\n* [Webhooks](webhooks.md)\n',
  );
});

it('splits a tag into several pages if its page would be too large for a space', () => {
  const get = { description: 'x'.repeat(400_000), responses };
  const paths = Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, { get }]));
  const pages = pagesOf({ paths });
  expect([...pages.keys()].slice(2)).toEqual(['operations.md', 'operations-2.md', 'operations-3.md']);
  expect(pages.get('README.md')).toContain('* [Operations (2)](operations-2.md): 1 operation\n');
  expect(pages.get('operations-3.md')).toMatch(/^# Operations \(3\)\n\n## GET \/c\n/);
});

it('escapes a summary that looks like HTML', () => {
  const paths = { '/a': { get: { summary: 'Get a List<Pet>', responses } } };
  expect(pagesOf({ paths }).get('operations.md')).toContain('## Get a List\\<Pet>\n');
});

it('uses the slug as the name if there is no title', () => {
  expect(summary({ info: { version: '1' } })).toContain('* [pets](README.md)');
});

it('lists the fields of a schema with repeatedly nested parts, and reads each part once', () => {
  const partsOf = (name: string) =>
    Array.from({ length: 6 }, () => ({ $ref: `#/components/schemas/${name}` }));
  let reads = 0;
  const last = {
    get properties() {
      reads++;
      return { name: { type: 'string' } };
    },
  };
  const schemas = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`S${at}`, at === 6 ? last : { allOf: partsOf(`S${at + 1}`) }]),
  );
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
  const paths = { '/a': { get: { responses: { 200: { description: 'Fine', content } } } } };
  const page = pagesOf({ paths, components: { schemas } }).get('operations.md');
  expect(page).toContain('| `name` | string | no |');
  expect(reads).toBeLessThan(20);
});
