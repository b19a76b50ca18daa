import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

const create = (...words: string[]) => desk.run(['pages', 'create', 'Guide', ...words]);

it('docsctl pages create accepts a text for a document, with or without --type', async () => {
  for (const [title, ...type] of [['One'], ['Two', '--type', 'document']] as const) {
    expect(await create(title, ...type, '--text', `About ${title}`, '--merge')).toMatchObject({ exit: 0 });
    const { stdout } = await desk.done(['pages', 'show', 'Guide', title.toLowerCase()]);
    expect(stdout).toContain(`About ${title}`);
  }
});

it.each([
  [['G', '--type', 'group', '--text', 'x'], 8, 'A group has no text.\nhint: Leave out --text.\n'],
  [
    ['L', '--type', 'link', '--href', 'https://a.test/', '--file', 'x.md'],
    8,
    'A link has no text.\nhint: Leave out --file.\n',
  ],
  [['L', '--type', 'link'], 64, 'A link needs an address.\nhint: Add --href URL.\n'],
  [['L', '--type', 'link', '--href', 'a.test'], 8, 'Sites cannot open the address "a.test" of the link.\n'],
  [['L', '--type', 'link', '--href', 'ftp://a.test/'], 8, 'Sites cannot open the address "ftp://a.test/" '],
  [['D', '--href', 'https://a.test/'], 64, 'Only a page of the type link can have an address.\n'],
  [['A', 'B', '--text', 'x'], 64, '--file, --text, --slug and --href are for one page, not for 2.\n'],
])('docsctl pages create refuses %j', async (words, code, message) => {
  const { exit, stderr } = await create(...words);
  expect([exit, stderr]).toEqual([code, expect.stringContaining(`error: ${message}`)]);
});
