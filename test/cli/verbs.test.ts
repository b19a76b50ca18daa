import { expect, it } from 'vitest';
import { nounFor, verbFor } from '../../src/cli/verbs.ts';

const sites = ['list', 'unpublish', 'publish', 'create', 'delete', 'update'];
const integrations = ['list', 'get', 'unpublish', 'publish'];

it.each([
  ['rm', sites, 'delete'],
  ['new', sites, 'create'],
  ['rm', integrations, 'unpublish'],
  ['create', integrations, 'publish'],
  ['import', ['list', 'ingest'], 'ingest'],
  ['create', ['list', 'add'], 'add'],
  ['unpublish', sites, undefined],
  ['sing', sites, undefined],
])('the word %j is among %j the verb %j', (word, verbs, verb) => {
  expect(verbFor(word, verbs)).toBe(verb);
});

it('a noun is known by its singular and by other words', () => {
  const nouns = ['spaces', 'openapi', 'section-groups'];
  expect(['space', 'specs', 'groups', 'openapi', 'thing'].map((word) => nounFor(word, nouns))).toEqual([
    'spaces',
    'openapi',
    'section-groups',
    undefined,
    undefined,
  ]);
});
