import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const dryRun = async (...words: string[]) => {
  const { stderr } = await desk.done([...words, '--dry-run']);
  expect(stderr).toMatch(/^Dry run: nothing was sent\.$/m);
  return stderr.replace('Dry run: nothing was sent.\n', '');
};

it('spaces delete and pages delete with --dry-run count the pages and change requests of a space', async () => {
  expect(await dryRun('spaces', 'delete', 'Guide')).toBe(
    'The space has no pages, files or open or draft change requests.\n',
  );
  await desk.publish(page('A', 'a\n'), page('B', 'b\n'));
  await desk.publish(page('C', 'c\n', { into: await desk.pageId('A') }));
  // Groups and links do not count as pages.
  const more = { operation: 'insert_page', document: {} } as const;
  await desk.publish({ ...more, type: 'group', title: 'More' });
  await desk.publish({ ...more, type: 'link', title: 'Web', href: '/', into: await desk.pageId('A') });
  await desk.request();
  const counts = 'The space has 3 pages and 1 open or draft change request.';
  expect(await dryRun('spaces', 'delete', 'Guide')).toBe(`${counts}\n`);
  expect(await dryRun('pages', 'delete', 'Guide', 'A')).toBe('1 page below it is deleted with it.\n');
  expect(await dryRun('pages', 'delete', 'Guide', 'A', 'C')).toBe('');
  expect((await desk.run(['spaces', 'delete', 'Guide'])).stderr).toContain(
    `no terminal to ask on. ${counts}`,
  );
  await desk.done(['spaces', 'create', '--title', 'API']);
  expect(await dryRun('spaces', 'delete', 'Guide', 'API')).toBe(
    'The 2 spaces have 3 pages and 1 open or draft change request.\n',
  );
});

it('pages copy --dry-run counts the same pages', async () => {
  await desk.publish({ operation: 'insert_page', document: {}, type: 'group', title: 'More' });
  await desk.publish(page('A', 'a\n', { into: await desk.pageId('More') }));
  const { stderr } = await desk.done(['pages', 'copy', 'Guide', 'More', '--dry-run']);
  expect(stderr).toBe('Dry run: 1 page would be copied to Guide. Nothing was sent.\n');
});

it('teams delete --dry-run notes that members stay in the organization', async () => {
  await desk.done(['teams', 'create', 'Writers']);
  expect(await dryRun('teams', 'delete', 'Writers')).toBe(
    'The team has 1 member. Members stay in the organization. They may gain access to content that only the role "none" of the team hid from them.\n',
  );
});

it('members delete --dry-run counts the tokens and teams of the member', async () => {
  await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'edit']);
  expect(await dryRun('members', 'delete', 'bo@acme.test')).toBe('The member has no tokens or teams.\n');
  await desk.done(['teams', 'create', 'Writers', '--members', 'bo@acme.test']);
  for (const user of ['bo@acme.test', 'bo@acme.test', 'ana@acme.test'])
    await desk.done(['tokens', 'create', '--role', 'read', '--user', user]);
  expect(await dryRun('members', 'delete', 'bo@acme.test')).toBe(
    'The member has 2 tokens and 1 team. Content that they wrote is kept.\n',
  );
});

it('spaces delete --now --dry-run counts nothing in a space that is deleted already', async () => {
  await desk.done(['spaces', 'delete', 'Guide', '--yes']);
  const { items } = JSON.parse((await desk.done(['spaces', 'list', '--deleted', '-o', 'json'])).stdout);
  expect(await dryRun('spaces', 'delete', items[0].id, '--now')).toBe(
    'The pages, files, change requests, comments and revisions are removed now and cannot be restored.\n',
  );
});
