import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
});
afterAll(() => desk.discard());

const missing = ['spc_01M8MN7NGQ6M9A0RYSE7M35D1V', 'spc_01M8MN7NGQ6M9A0RYSE7M35D1W'];

it('a command for several resources prints those that it found, and fails if one is missing', async () => {
  const { exit, stdout, stderr } = await desk.run(['spaces', 'get', 'Guide', missing[0]!, '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ title: 'Guide' }] });
  expect(stderr).toContain('1 done, 1 failed.');
  expect(exit).toBe(3);
});

it('a command for several resources prints no results if all are missing', async () => {
  const { exit, stdout, stderr } = await desk.run(['spaces', 'get', ...missing, '-o', 'json']);
  expect(stdout).toBe('');
  expect(stderr).toContain('0 done, 2 failed.');
  expect(exit).toBe(5);
});
