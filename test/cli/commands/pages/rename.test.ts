import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
  const number = await desk.request(page('Quickstart', 'Begin.'), page('Install', 'Download.'));
  await desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
});
afterAll(() => desk.discard());

const pages = async (): Promise<string[]> =>
  JSON.parse((await desk.done(['pages', 'list', '--space', 'Guide', '-o', 'json'])).stdout).pages.map(
    ({ title, slug }: { title: string; slug: string }) => `${title} ${slug}`,
  );

describe('pages rename', () => {
  it('gives a page a title, a slug or both, with the space as an option or in front', async () => {
    await desk.done(['pages', 'rename', 'Guide', 'quickstart', 'First steps', '--merge']);
    expect(await pages()).toEqual(['First steps quickstart', 'Install install']);
    await desk.done(['pages', 'rename', 'quickstart', 'Start', '--space', 'Guide', '--merge']);
    await desk.done(['pages', 'rename', 'Guide', 'install', '--slug', 'setup', '--merge']);
    expect(await pages()).toEqual(['Start quickstart', 'Install setup']);
    await desk.done([
      'pages',
      'rename',
      'setup',
      'Set up',
      '--slug',
      'set-up',
      '--space',
      'Guide',
      '--merge',
    ]);
    expect(await pages()).toEqual(['Start quickstart', 'Set up set-up']);
  });

  it.each([
    [['quickstart', 'First', 'steps', '--space', 'Guide'], 'Too many arguments: "steps".'],
    [['Guide', 'quickstart'], 'The new title is missing.'],
    [['quickstart', '--space', 'Guide'], 'The new title is missing.'],
  ])('refuses %j', async (words, message) => {
    const before = await pages();
    const { exit, stderr } = await desk.run(['pages', 'rename', ...words]);
    expect([exit, stderr]).toEqual([64, expect.stringContaining(message)]);
    expect(stderr).toContain('`docsctl pages rename Guide quickstart "First steps"`');
    expect(await pages()).toEqual(before);
  });
});
