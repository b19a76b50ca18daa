import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide', '--visibility', 'share-link']);
});
afterEach(() => desk.discard());

const notes = async (...words: string[]): Promise<string> => (await desk.done(['sites', ...words])).stderr;
const update = (visibility: string): Promise<string> => notes('update', 'Docs', '--visibility', visibility);

it('sites publish and update note that a site has no share link, until it has an active one', async () => {
  const note =
    /^Visitors cannot open the site "Docs" yet: it has no active share link\. To create one, run `docsctl sites share-links create NAME --site Docs`\.$/m;
  expect(await notes('publish', 'Docs')).toMatch(note);
  await desk.done(['sites', 'share-links', 'create', 'Partners', '--site', 'Docs']);
  expect(await update('share-link')).toBe('');
  await desk.done(['sites', 'share-links', 'update', 'Partners', '--site', 'Docs', '--no-active']);
  expect(await update('share-link')).toMatch(note);
  expect(await notes('update', 'Docs', '--title', 'Docs')).toBe('');
  expect(await update('public')).toBe('');
});

it('sites update notes that a published site has no key for visitor tokens, until it has one', async () => {
  expect(await update('visitor-auth')).toBe('');
  await notes('publish', 'Docs');
  const noted = await update('visitor-auth');
  expect(noted).toMatch(/^Visitors cannot open the site "Docs" yet: it has no key for visitor tokens\. /);
  const [, command = ''] = /`docsctl (.*?)`/.exec(noted) ?? [];
  await desk.done(command.split(' '));
  expect(await update('visitor-auth')).toBe('');
});
