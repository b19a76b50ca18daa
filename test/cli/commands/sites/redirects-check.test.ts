import { afterEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

it('`sites redirects check` says on a terminal that there are no problems, not that there are no redirects', async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'redirects', 'create', '/a', '--site', 'Docs', '--url', 'https://example.com']);
  const { stdout, stderr } = await desk.done(['sites', 'redirects', 'check', 'Docs'], { tty: true });
  expect(`${stdout}${stderr}`).not.toContain('No redirects');
  expect(stderr).toContain('Checked 1 redirect: all are fine.');
});
