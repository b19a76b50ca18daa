import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeDeletions } from '../../../../src/cli/commands/spaces/deleted.ts';
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

  it('are listed only with --deleted, and restored by title', async () => {
    expect(await titles('--deleted')).toEqual(['Trash']);
    expect(await titles()).not.toContain('Trash');
    expect(await titles('--deleted', '--title', 'nothing')).toEqual(['']);
    await desk.done(['spaces', 'restore', 'trash']);
    expect(await titles('--deleted')).toEqual(['']);
    expect(await titles()).toContain('Trash');
  });

  it('are removed for good with --now, after a confirmation', async () => {
    const again = await desk.run(['spaces', 'delete', 'trash', '--yes']);
    expect([again.exit, again.stderr]).toEqual([5, expect.stringContaining('"Trash" is already deleted.')]);
    const [, hinted = ''] = /`docsctl (spaces delete \S+ --now)`/.exec(again.stderr) ?? [];
    expect(hinted).not.toBe('');
    const now = ['spaces', 'delete', 'trash', '--now'];
    const asked = await desk.run(now);
    expect(asked.exit).toBe(9);
    expect(asked.stderr).toContain('trash');
    expect(asked.stderr).toContain('are removed now and cannot be restored');
    expect(await titles('--deleted')).toEqual(['Trash']);
    await desk.done([...now, '--yes']);
    expect(await titles('--deleted')).toEqual(['']);
    expect((await desk.run([...now, '--yes'])).stderr).toContain('There is no space "trash".');
  });

  it('are kept if spaces delete --now finds an existing space with the same title', async () => {
    await desk.done(['spaces', 'create', '--title', 'Trash']);
    await desk.done(['spaces', 'delete', 'Trash', '--now', '--yes']);
    expect(await titles()).not.toContain('Trash');
    expect(await titles('--deleted')).toEqual(['Trash']);
  });

  it('are listed with the time of deletion, and the time until which they can be restored', async () => {
    const list = ['spaces', 'list', '--deleted'];
    const { stdout } = await desk.done(list);
    expect(stdout).toMatch(/^title\tvisibility\tdeletedAt\tparent\tid\nTrash\tprivate\t20\S+Z\t/);
    const drawn = (await desk.done(list, { tty: true, columns: 80 })).stdout;
    expect(drawn).toMatch(/^Trash {2}(?:today|\d+ days ago); gone for good on 20\d\d-\d\d-\d\d /m);
    const [space] = describeDeletions(Date.parse('2026-05-04T12:00:00Z'))([
      { deletedAt: '2026-05-01T10:00:00.000Z' },
    ]);
    expect(space).toMatchObject({ deleted: '3 days ago; gone for good on 2026-05-08' });
  });

  it('are restored only by ID if two have the same title', async () => {
    await desk.done(['spaces', 'create', '--title', 'Trash']);
    await desk.done(['spaces', 'delete', 'Trash', '--yes']);
    expect(await desk.run(['spaces', 'restore', 'Trash'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('"Trash" matches 2 deleted spaces'),
    });
    const ids = (await desk.done(['spaces', 'list', '--deleted', '-o', 'id'])).stdout.trim().split('\n');
    await desk.done(['spaces', 'restore', ...ids]);
    expect(await titles('--deleted')).toEqual(['']);
  });

  it('are suggested with spaces list --deleted if none has the given title', async () => {
    expect(await desk.run(['spaces', 'restore', 'Guide'])).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/There is no deleted space "Guide"\.\n.*spaces list --deleted/),
    });
  });
});
