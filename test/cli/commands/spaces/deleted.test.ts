import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('deleted spaces %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
    await desk.done(['spaces', 'create', '--title', 'Trash']);
    await desk.done(['spaces', 'delete', 'Trash', '--yes']);
  });
  afterEach(() => desk.discard());

  const titles = async (...words: string[]) => {
    const { stdout } = await desk.done(['spaces', 'list', ...words, '--columns', 'title', '--no-headers']);
    return stdout.trim().split('\n');
  };

  it('are listed alone, and restored by title', async () => {
    expect(await titles('--deleted')).toEqual(['Trash']);
    expect(await titles()).not.toContain('Trash');
    expect(await titles('--deleted', '--title', 'nothing')).toEqual(['']);
    await desk.done(['spaces', 'restore', 'trash']);
    expect(await titles('--deleted')).toEqual(['']);
    expect(await titles()).toContain('Trash');
  });

  it('are named by ID where two have the same title', async () => {
    await desk.done(['spaces', 'create', '--title', 'Trash']);
    await desk.done(['spaces', 'delete', 'Trash', '--yes']);
    expect(await desk.run(['spaces', 'restore', 'Trash'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('"Trash" fits 2 deleted spaces'),
    });
    const ids = (await desk.done(['spaces', 'list', '--deleted', '-o', 'id'])).stdout.trim().split('\n');
    await desk.done(['spaces', 'restore', ...ids]);
    expect(await titles('--deleted')).toEqual(['']);
  });

  it('say how they are listed where a title fits none', async () => {
    expect(await desk.run(['spaces', 'restore', 'Guide'])).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/There is no deleted space "Guide"\.\n.*spaces list --deleted/),
    });
  });
});
