import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it.each([
  [['members', 'invite', 'ana@acme.test', 'ben@'], 'EMAILS "ben@" (value 2) is not a valid email.', '--help'],
  [
    ['members', 'invite', '--emails', 'ben@'],
    '--emails "ben@" (value 1) is not a valid email.',
    'docsctl members invite --help',
  ],
  [
    ['tokens', 'create', '--role', 'edit', '--expires-at', 'soon'],
    '--expires-at "soon" is not',
    '2040-01-31T12:00:00Z',
  ],
  [['spaces', 'list', '--limit', '5000'], '--limit must be at most 1000.', '--help'],
])('%j names the option', async (words, message, hint) => {
  const { exit, stderr } = await desk.run(words);
  expect([exit, stderr]).toEqual([8, expect.stringContaining(message)]);
  expect(stderr).toContain(hint);
});

it('names the field of a file of --body', async () => {
  const { stderr } = await desk.run(['members', 'invite', '--body', '-'], { input: '{"emails": ["x"]}' });
  expect(stderr).toContain('emails.0');
});

it.each([
  [['--org-title', 'X', '--email', 'a@b.test'], '--org-title "X" is shorter than 2 characters.'],
  [['--org-title', 'Acme', '--email', 'ana'], '--email "ana" is not an email address.'],
])('init %j says which option is wrong', async (words, message) => {
  const { exit, stderr } = await desk.run(['init', '--store', 'json:new.json', ...words]);
  expect([exit, stderr]).toEqual([8, expect.stringContaining(message)]);
});
