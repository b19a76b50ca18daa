import { afterEach, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

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
