import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideServer, page, type GuideStore } from '../../guide-store.ts';
import { previewIn } from './previewing.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideServer();
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
  await desk.publish(page('Welcome', 'Hello.'), page('Setup', 'Run it.'), {
    operation: 'insert_files',
    files: [
      { name: 'note.txt', contentType: 'text/plain', base64: Buffer.from('A file.').toString('base64') },
    ],
  });
});
afterEach(() => desk.discard());

it('sites preview shows a site of a server with its files, customization and redirects', async () => {
  const files = JSON.parse((await desk.done(['spaces', 'files', 'list', 'Guide', '-o', 'json'])).stdout);
  const [{ id }] = files.items;
  const setup = await desk.pageId('Setup');
  await desk.publish({
    operation: 'update_page',
    page: await desk.pageId('Welcome'),
    document: { markdown: `[File](/files/${id}) and [page](/pages/${setup})` },
  });
  await desk.done(['sites', 'redirects', 'create', '/old', '--site', 'Docs', '--url', 'https://example.com']);
  await desk.done(['spaces', 'create', '--title', 'Other']);
  await previewIn(desk, [], async ({ show }) => {
    const { text } = await show('/');
    expect(text).toContain(`href="/~files/${id}/note.txt"`);
    expect(text).toContain('href="/setup"');
    expect((await show(`/~files/${id}/note.txt`)).text).toBe('A file.');
    expect((await show('/old')).status).toBe(307);
    expect((await show('/setup')).status).toBe(200);
  });
});

it('sites preview --folder shows a folder on a site of a server, and changes nothing on the server', async () => {
  mkdirSync(desk.at('docs'));
  writeFileSync(desk.at('docs', 'README.md'), '# Welcome\n\nFrom the folder.\n');
  const list = async () => (await desk.done(['cr', 'list', 'Guide', '--status', 'all', '-o', 'json'])).stdout;
  const before = await list();
  await previewIn(desk, ['--folder', 'docs'], async ({ show, watch }) => {
    expect((await show('/')).text).toContain('<p>From the folder.</p>');
    const edited = await watch('/');
    writeFileSync(desk.at('docs', 'README.md'), '# Welcome\n\nEdited.\n');
    await edited();
    expect((await show('/')).text).toContain('<p>Edited.</p>');
  });
  expect(await list()).toBe(before);
});

it('sites preview --change-request shows a change request of a server, and reloads after edits', async () => {
  const number = await desk.request(page('News', 'Something new.'));
  await desk.publish(page('Elsewhere', 'Merged meanwhile.'));
  await previewIn(desk, ['--change-request', String(number)], async ({ show, watch }) => {
    const { text } = await show('/news');
    expect(text).toContain('<p>Something new.</p>');
    expect(text).toContain('Its space has changed since change request');
    const reloaded = await watch('/');
    await desk.edit(number, page('More news', 'More.'));
    await reloaded();
    expect((await show('/more-news')).status).toBe(200);
  });
});

it('sites preview --as-of shows an earlier revision of a server', async () => {
  const { revision } = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout);
  await desk.publish(page('News', 'Something new.'));
  await previewIn(desk, ['--as-of', revision], async ({ show }) => {
    expect((await show('/setup')).status).toBe(200);
    expect((await show('/news')).status).toBe(404);
  });
});

it('sites preview --manifest requires an embedded store', async () => {
  const ran = await desk.run(['sites', 'preview', 'Docs', '--manifest', 'docsctl.yaml', '-o', 'json']);
  expect([ran.exit, JSON.parse(ran.stderr).error.message]).toEqual([
    64,
    '--manifest works only with an embedded store, but a server is set.',
  ]);
});
