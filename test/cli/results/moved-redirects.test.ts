import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

it('sites redirects upsert prints all results, and exits with 3 if one redirect was refused', async () => {
  await desk.done(['sites', 'create', 'Docs']);
  const redirects = [
    { source: '/none', destination: null },
    { source: '/old', destination: { kind: 'external', url: 'https://example.com' } },
  ];
  const send = (...sent: object[]) =>
    desk.run(['sites', 'redirects', 'upsert', 'Docs', '--redirects', JSON.stringify(sent), '-o', 'json']);
  const { exit, stdout, stderr } = await send(...redirects);
  expect(exit).toBe(3);
  expect(JSON.parse(stdout).results).toMatchObject([{ status: 'error' }, { status: 'created' }]);
  expect(stderr).toContain('1 of 2 redirects was refused.');
  expect(await send(redirects[1]!)).toMatchObject({ exit: 0, stderr: '' });
});
