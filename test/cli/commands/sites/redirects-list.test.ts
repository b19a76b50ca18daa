import { afterEach, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

const terminal = { tty: true, columns: 160 };

it.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('sites redirects list shows paths and titles of targets instead of IDs %s', async (_, open) => {
  desk = await open();
  await desk.done(['pages', 'create', 'Guide', 'Start', 'Install', '--merge']);
  await desk.done(['spaces', 'create', '--title', 'API']);
  await desk.done(['sites', 'create', '--title', 'Docs']);
  for (const space of ['Guide', 'API'])
    await desk.done(['sites', 'sections', 'add', space, '--site', 'Docs', '--title', `${space} docs`]);
  const lead = (source: string, ...to: string[]) =>
    desk.done(['sites', 'redirects', 'create', source, '--site', 'Docs', ...to]);
  await lead('/a', '--space', 'Guide', '--path', 'install');
  await lead('/b', '--section', 'api-docs');
  await lead('/c', '--site-space', 'API');
  await lead('/d', '--url', 'https://example.com/d');
  // The address of this space contains both paths, because a section has the path `/api-docs`.
  const twin = ['--site', 'Docs', '--section', 'guide-docs', '--title', 'API docs', '-o', 'json'];
  const { stdout: added } = await desk.done(['sites', 'site-spaces', 'add', 'API', ...twin]);
  await lead('/e', '--site-space', (JSON.parse(added) as { id: string }).id);
  const list = (...more: string[]) =>
    desk.done(['sites', 'redirects', 'list', 'Docs', '--order-by', 'source', ...more], terminal);
  const { stdout } = await list();
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toMatchObject([
    ['source', 'target', 'title'],
    [expect.stringMatching(/^─+$/), expect.anything(), expect.anything()],
    ['/a', '/install', 'Install'],
    ['/b', '/api-docs', 'API docs'],
    ['/c', '/api-docs', 'API'],
    ['/d', 'https://example.com/d', '-'],
    ['/e', '/guide-docs/api-docs', 'API docs'],
    [''],
  ]);
  expect(stdout).not.toMatch(/redir_|sitesp_|pag_/);
  expect((await list('--wide')).stdout).toMatch(/sitesp_.*redir_/);
  const { stdout: json } = await list('-o', 'json');
  expect(json).not.toContain('"target"');
  // A deleted page is shown by its ID.
  await desk.done(['pages', 'delete', 'Guide', 'install', '--merge', '--yes']);
  expect((await list()).stdout).toMatch(/\/a +\/pag/);
});
