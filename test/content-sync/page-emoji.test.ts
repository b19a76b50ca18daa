import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planCopy } from '../../src/content-sync/rehearse-content.ts';
import { readPageText } from '../../src/richtext/front-matter.ts';
import { openGuideStore, type GuideStore } from '../cli/guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const show = async (page: string) =>
  JSON.parse((await desk.done(['spaces', 'pages', 'get', page, '--space', 'Guide', '-o', 'json'])).stdout);
const writeFolder = (text: string) => {
  mkdirSync(desk.at('docs'), { recursive: true });
  writeFileSync(desk.at('docs', 'README.md'), text);
};
const text = (emoji: string, more = '') => `---\ntitle: Start\nemoji: ${emoji}\n---\n\nText${more}\n`;

test('accepts only an emoji or its code point as the emoji of a page', async () => {
  const create = (emoji: string) =>
    desk.run(['pages', 'create', 'Guide', `With ${emoji}`, '--emoji', emoji, '--merge']);
  for (const emoji of ['ab', 'rocket', '12']) {
    const { exit, stderr } = await create(emoji);
    expect(exit, emoji).not.toBe(0);
    expect(stderr).toContain('is not a valid emoji, such as 📘 or its code point 1f4d8');
  }
  for (const emoji of ['🚀', '1f680']) expect((await create(emoji)).stderr, emoji).not.toContain('error');
  expect(await show('with-1f680')).toMatchObject({ emoji: '1f680' });
});

test('warns about an invalid emoji in an import, ignores it, and changes nothing in a second import', async () => {
  writeFolder(text('rocket'));
  const { stderr } = await desk.done(['spaces', 'import', 'Guide', 'docs']);
  expect(stderr).toContain(
    'README.md:3: has "rocket" as its emoji, which is not an emoji; the page has none',
  );
  expect(await show('readme')).not.toHaveProperty('emoji');
  expect((await desk.done(['spaces', 'import', 'Guide', 'docs'])).stderr).toMatch(/nothing|no change/i);
  writeFolder(text('🚀'));
  await desk.done(['spaces', 'import', 'Guide', 'docs']);
  expect(await show('readme')).toMatchObject({ emoji: '🚀' });
  const checked = await desk.run(['validate', 'docs', '--deny-warnings']);
  expect(checked.exit).toBe(0);
  writeFolder(text('rocket'));
  expect((await desk.run(['validate', 'docs', '--deny-warnings'])).exit).not.toBe(0);
});

test('refuses an edit with an invalid emoji, unless the page already had it', async () => {
  writeFolder(text('rocket'));
  await desk.done(['spaces', 'import', 'Guide', 'docs']);
  const edit = (input: string) =>
    desk.run(['pages', 'edit', 'Guide', 'readme', '--file', '-', '--merge'], { input });
  expect((await edit(text('rocket', ' and more'))).exit).toBe(0);
  const { exit, stderr } = await edit(text('boat'));
  expect(exit).not.toBe(0);
  expect(stderr).toContain('"boat" in the front matter is not an emoji.');
});

test('keeps an invalid emoji in the text of the front matter', () => {
  const read = readPageText(text('ab'));
  expect(read).toMatchObject({ metadata: { title: 'Start' }, noEmoji: 'ab' });
  expect(read.frontMatter + read.body).toBe(text('ab'));
});

test('leaves out the invalid emoji of an older store in the copy of a space', () => {
  const stored = (id: string, emoji: string) => ({
    id,
    title: id,
    type: 'document',
    slug: id,
    emoji,
    markdown: '',
  });
  const pages = [stored('one', 'ab'), stored('two', '📘')] as never;
  expect(planCopy({ pages, files: [], texts: [] }, new Map()).pages).toMatchObject([
    { title: 'one', emoji: '' },
    { title: 'two', emoji: '📘' },
  ]);
});
