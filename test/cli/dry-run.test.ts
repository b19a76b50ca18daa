import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
  await desk.done(['config', 'set', 'space', 'Guide']);
});
afterAll(() => desk.discard());

it.each(
  [
    ['config', 'set', 'space', 'Other'],
    ['config', 'unset', 'space'],
    ['jobs', 'run', '--kind', 'removal'],
    ['login', '--name', 'other', '--server', 'http://127.0.0.1:9'],
    ['logout'],
    ['profiles', 'use', 'default'],
    ['profiles', 'delete', 'default', '--yes'],
    ['sites', 'build', 'Docs', '-d', 'public'],
  ].map((words) => [words]),
)('%j refuses --dry-run, and changes nothing', async (words) => {
  const settings = () => readFileSync(join(desk.home, 'config/config.json'), 'utf8');
  const before = settings();
  const { exit, stdout, stderr } = await desk.run([...words, '--dry-run']);
  expect([exit, stdout]).toEqual([64, '']);
  expect(stderr).toContain(` has no dry run.\nhint: `);
  expect(settings()).toBe(before);
  expect(existsSync(desk.at('public'))).toBe(false);
});

it('a dry run shows the query of the request as it is sent', async () => {
  const { stdout } = await desk.done(['spaces', 'delete', 'Guide', '--now', '--dry-run', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual({
    method: 'DELETE',
    path: expect.stringMatching(/^\/v1\/spaces\/spc_\w+\?now=true$/) as string,
  });
});
