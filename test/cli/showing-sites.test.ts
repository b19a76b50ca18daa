import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);

it('a question about a space names the sites that will lose it', async () => {
  await desk.done(['spaces', 'create', '--title', 'API']);
  const { id } = await json('spaces', 'get', 'Guide');
  for (const title of ['Docs', 'Help'])
    await desk.done(['sites', 'create', '--title', title, '--spaces', id]);
  const refused = (...words: string[]) => desk.run(words);
  expect(await refused('spaces', 'delete', 'Guide')).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining(
      'and there is no terminal to ask on. The sites "Docs" and "Help" will no longer show the space.',
    ),
  });
  expect((await refused('spaces', 'delete', 'Guide', 'API')).stderr).toContain(
    'The sites "Docs" and "Help" will no longer show some of the spaces.',
  );
  expect((await refused('spaces', 'delete', 'API')).stderr).not.toContain('show');
  await desk.done(['sites', 'create', '--title', 'Third', '--spaces', id]);
  expect((await refused('spaces', 'delete', 'Guide')).stderr).toContain(
    'The sites "Docs", "Help" and "Third" will',
  );
  expect((await refused('spaces', 'transfer', 'Guide', '--organization', 'Acme')).stderr).toContain('"Help"');
  await desk.done(['spaces', 'delete', 'Guide', '--yes']);
  expect((await json('sites', 'site-spaces', 'list', '--site', 'Docs')).items).toEqual([]);
});
