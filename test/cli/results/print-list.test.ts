import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('--query of a list of several pages on %s', (_, open) => {
  let desk: GuideStore;
  beforeAll(async () => {
    desk = await open();
    await desk.done(['teams', 'create', ...Array.from({ length: 60 }, (__, index) => `Team ${index}`)]);
  });
  afterAll(() => desk.discard());

  const length = async (...words: string[]) => {
    const { stdout, stderr } = await desk.done([
      'teams',
      'list',
      '--query',
      'length(items)',
      '-o',
      'json',
      ...words,
    ]);
    return [JSON.parse(stdout), stderr];
  };

  it('is applied to all pages', async () => {
    expect(await length()).toEqual([60, '']);
    expect(await length('--all')).toEqual([60, '']);
  });

  it('is applied to the requested page only with --limit', async () => {
    expect(await length('--limit', '10')).toEqual([10, expect.stringContaining('Showing 10 of 60.')]);
    const { stdout } = await desk.done([
      'teams',
      'list',
      '--limit',
      '55',
      '-o',
      'json',
      '--query',
      'next.page',
    ]);
    expect((await length('--limit', '55', '--page', JSON.parse(stdout)))[0]).toBe(5);
  });
});
