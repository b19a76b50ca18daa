import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs']);
});
afterEach(() => desk.discard());

const terminal = { tty: true, columns: 120 };

it('a table shows the title of a resource, also in a column with a heading of its own', async () => {
  await desk.done(['custom-hostnames', 'set', 'docs.acme.test', '--site', 'Docs']);
  const { stdout } = await desk.done(['custom-hostnames', 'list'], terminal);
  expect(stdout).toMatch(/^hostname +site +active/);
  expect(stdout).toMatch(/^docs\.acme\.test +Docs +✗/m);
});
