import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

test('spaces comments list shows the page and the text that each comment is about', async () => {
  const cell = '{"record":"record-1","definition":"column-2"}';
  const table = '| Plan | Price |\n|---|---|\n| Pro | 9 |\n';
  await desk.publish(page('Prices', `Text of **it**\n\n${table}`));
  const post = async (text: string, ...more: string[]) =>
    desk.done(['spaces', 'comments', 'create', 'Guide', '--text', text, ...more]);
  await post('One', '--page', 'prices', '--node', 'b1');
  await post('Two', '--page', 'prices', '--table-cell', cell);
  await post('Three', '--page', 'prices');
  await post('Four');
  const list = async (...more: string[]) =>
    (await desk.done(['spaces', 'comments', 'list', 'Guide', ...more])).stdout;
  expect(await list('-o', 'tsv', '--columns', 'body.markdown,about')).toBe(
    'body.markdown\tabout\nFour\t\nThree\tPrices\nTwo\tPrices: "9"\nOne\tPrices: "Text of it"\n',
  );
  expect(await list('-o', 'tsv')).toMatch(/\tOne\tpag_\w+\tb1\topen\t/);
});

test('spaces comments create refuses a block that does not exist, with a hint how to list blocks', async () => {
  await desk.publish(page('Start', 'Text'));
  const words = ['spaces', 'comments', 'create', 'Guide', '--text', 'Hm', '--page', 'start', '--node', 'b99'];
  const { exit, stderr } = await desk.run(words);
  expect(exit).toBe(5);
  expect(stderr).toContain('has no block "b99".');
  expect(stderr).toContain('--format document -o json');
});
