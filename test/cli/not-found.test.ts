import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it.each([
  ['conversations get x', 'conversations list'],
  ['integrations get x', 'integrations list'],
  ['audit get x', 'audit list'],
  ['spaces comments get x --space Guide', 'spaces comments list --space'],
  ['spaces comments replies list x --space Guide', 'spaces comments list --space'],
  ['revisions get x --space Guide', 'revisions list --space'],
  ['cr merge 99 --space Guide', 'change-requests list'],
])('%s names `docsctl %s`', async (words, command) => {
  const { exit, stderr } = await desk.run(words.split(' '));
  expect([exit, stderr]).toEqual([
    5,
    expect.stringMatching(new RegExp(`^hint: To see the .*\`docsctl ${command}`, 'm')),
  ]);
  const [, named = ''] = /`docsctl (.*)`/.exec(stderr) ?? [];
  await desk.done(named.split(' '));
});
