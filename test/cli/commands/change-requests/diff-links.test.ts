import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(page('A', '[b](b)\n'), page('B', 'b\n'));
});
afterEach(() => desk.discard());

it('change-requests diff on a terminal ends with the links that the merge would break', async () => {
  const number = await desk.request({ operation: 'delete_page', page: await desk.pageId('B') });
  const words = ['cr', 'diff', String(number), '--space', 'Guide'];
  const { stdout } = await desk.run(words, { tty: true });
  expect(stdout.trimEnd()).toMatch(
    /\n\n1 link would break\.\n {2}Guide: a:1 {2}b\n {4}The page "B" is deleted\.$/,
  );
  const one = await desk.run([...words, '--page', 'B'], { tty: true });
  expect(one.stdout).not.toContain('would break');
});

it('change-requests diff does not mention links if no link would break', async () => {
  const number = await desk.request({
    operation: 'update_page',
    page: await desk.pageId('B'),
    document: { markdown: 'new\n' },
  });
  const { stdout, stderr } = await desk.run(['cr', 'diff', String(number), '--space', 'Guide']);
  expect(stdout + stderr).not.toContain('link');
});

it.each([
  [['cr', 'merge', '99', '--space', 'Guide', '--require-links'], 5, 'There is no change request "99"'],
  [['cr', 'links', '99', '--space', 'Guide'], 5, 'There is no change request "99"'],
  [
    ['orgs', 'broken-links'],
    64,
    'Add --spaces SPACES or --without SPACE-ID. You can also give the whole body with --body FILE.',
  ],
  [['orgs', 'broken-links', '--without', 'spc_none'], 5, 'There is no space "spc_none"'],
])('%j fails with exit code %i', async (words, exit, message) => {
  expect(await desk.run(words)).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(message) });
});

it('change-requests diff lists the redirects that the merge would break, even if it breaks no link', async () => {
  const spaceId = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout).id;
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', spaceId]);
  await desk.done([
    'sites',
    'redirects',
    'create',
    '/start',
    '--site',
    'Docs',
    '--space',
    'Guide',
    '--path',
    'a',
  ]);
  const number = await desk.request({ operation: 'delete_page', page: await desk.pageId('A') });
  const words = ['cr', 'diff', String(number), '--space', 'Guide'];
  const drawn =
    '1 redirect would lead nowhere:\n  Docs: /start (the page "a" of the space "Guide" is deleted)\n';
  expect((await desk.run(words, { tty: true })).stdout).toContain(`\n\n${drawn}`);
  expect((await desk.run(words)).stderr).toBe(drawn);
  expect(JSON.parse((await desk.done([...words, '-o', 'json'])).stdout).brokenRedirects).toHaveLength(1);
});
