import { afterEach, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

it('sites check lists the findings of several sites with the site, and continues after one that does not exist', async () => {
  desk = await openGuideStore();
  await desk.publish(page('Start', '[Far](none.md)'));
  for (const title of ['Docs', 'Help']) await desk.done(['sites', 'create', title, '--spaces', 'Guide']);
  const check = (...words: string[]) => desk.run(['sites', 'check', ...words]);
  const { exit, stdout, stderr } = await check('Docs', 'Help');
  expect([exit, stderr]).toEqual([9, expect.stringContaining('Checked 2 pages of 2 sites: 2 errors')]);
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['site', 'Docs', 'Help', '']);
  const partly = await check('None', 'Help', '-o', 'json');
  expect(JSON.parse(partly.stdout).items).toMatchObject([{ site: 'Help', rule: 'broken-link' }]);
  expect([partly.exit, partly.stderr]).toEqual([3, expect.stringContaining('Checked 1 page of 1 site')]);
  expect((await check('None')).exit).toBe(5);
});

it('sites check counts more than 20 findings by rule, and suggests a query for one rule', async () => {
  desk = await openGuideStore();
  const links = Array.from({ length: 19 }, (_, at) => `[To ${at}](none-${at}.md)`).join('\n\n');
  await desk.publish(page('Start', `[Far](#far)\n\n${links}`));
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  const check = (...more: string[]) => desk.run(['sites', 'check', 'Docs', ...more]);
  expect((await check()).stderr).not.toContain('Findings');

  await desk.publish(page('Next', '[Far](#far)'));
  const { stderr } = await check();
  expect(stderr).toContain(
    'Findings of each rule:\n  broken-link            19\n  broken-anchor          2\n',
  );
  expect(stderr.indexOf('Findings')).toBeLessThan(stderr.indexOf('21 errors'));
  expect((await check('-o', 'json')).stderr).not.toContain('Findings');

  const [, query = ''] = /`--query "([^"`]+)" -o table`/.exec(stderr) ?? [];
  const { stdout } = await check('--query', query.replace('broken-link', 'broken-anchor'), '-o', 'table');
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
});
