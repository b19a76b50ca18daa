import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);

it('the confirmation of spaces delete names the sites that show the space', async () => {
  await desk.done(['spaces', 'create', '--title', 'API']);
  const { id } = await json('spaces', 'get', 'Guide');
  for (const title of ['Docs', 'Help'])
    await desk.done(['sites', 'create', '--title', title, '--spaces', id]);
  const refused = (...words: string[]) => desk.run(words);
  expect(await refused('spaces', 'delete', 'Guide')).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining(
      'but there is no terminal to ask on. The sites "Docs" and "Help" will no longer show the space.',
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
  await desk.done(['orgs', 'create', '--title', 'Labs', '--email', 'ana@acme.test']);
  const transfer = ['spaces', 'transfer', 'Guide', '--organization', 'Labs', '--org', 'Acme'];
  expect((await refused(...transfer)).stderr).toContain('"Help"');
  await desk.done(['spaces', 'delete', 'Guide', '--yes', '--org', 'Acme']);
  expect((await json('sites', 'site-spaces', 'list', '--site', 'Docs', '--org', 'Acme')).items).toEqual([]);
});

it('spaces restore names the sites that showed the space, and the commands that add it again', async () => {
  const restored = async () => {
    await desk.done(['spaces', 'delete', 'Guide', '--yes', '--org', 'Acme']);
    const { stderr } = await desk.done(['spaces', 'restore', 'Guide']);
    return [...stderr.matchAll(/`docsctl (.*?)`/g)].map(([, words = '']) => words);
  };
  await desk.done(['spaces', 'create', '--title', 'API']);
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  const { id } = await json('sites', 'get', 'Docs');
  // With two sites of this title, the command needs the ID.
  await desk.done(['sites', 'create', '--title', 'Docs']);
  const [root = ''] = await restored();
  expect(root).toBe(`sites site-spaces add Guide --site ${id}`);
  await desk.done(root.split(' '));
  await desk.done(['sites', 'sections', 'add', 'API', '--site', id]);
  // The section that showed only this space was deleted.
  const [alone = ''] = await restored();
  expect(alone).toBe(`sites sections add Guide --site ${id}`);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', id, '--section', 'api']);
  const [variant = ''] = await restored();
  expect(variant).toMatch(/^sites site-spaces add Guide --site \S+ --section \S+$/);
  await desk.done(variant.split(' '));
  // Without its title and group, the section would get another path and place.
  await desk.done(['sites', 'section-groups', 'add', 'Products', '--site', id]);
  const guides = [
    'sites',
    'sections',
    'add',
    'API',
    '--site',
    id,
    '--title',
    'Our API',
    '--group',
    'Products',
  ];
  await desk.done(['spaces', 'delete', 'API', '--yes', '--org', 'Acme']);
  await desk.done(['spaces', 'restore', 'API']);
  await desk.done(guides);
  await desk.done(['spaces', 'delete', 'API', '--yes', '--org', 'Acme']);
  const { stderr } = await desk.done(['spaces', 'restore', 'API']);
  expect(stderr).toMatch(/`docsctl sites sections add API --site \S+ --title 'Our API' --group \S+`/);
  // A deleted site is not mentioned.
  await desk.done(['sites', 'delete', id, '--yes']);
  expect(await restored()).toEqual([]);
});
