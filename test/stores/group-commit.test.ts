import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WriteTransaction } from '../../src/core/store.ts';
import { open, pages, temporaryFolder } from './fixtures.ts';

describe.each(['json', 'sqlite'])('writes that arrive together in a store of the kind %s', (kind) => {
  const inGroup = async (second: (tx: WriteTransaction) => Promise<unknown>) => {
    const store = await open(`${kind}:${join(temporaryFolder(), 'store')}`);
    const runs = [0, 0, 0];
    const write = (at: number, work: (tx: WriteTransaction) => Promise<unknown>) =>
      store.write((tx) => {
        runs[at]! += 1;
        return work(tx);
      });
    const settled = await Promise.allSettled([
      write(0, (tx) => tx.insert(pages, { id: 'a', space: 's' })),
      write(1, second),
      write(2, async (tx) => (await tx.get(pages, 'a'))?.title),
    ]);
    const ids = await store.read(async (view) =>
      (await view.find(pages, { index: 'all', equals: [], limit: 9 })).map(({ id }) => id),
    );
    return { runs, outcomes: settled.map(({ status }) => status), ids };
  };
  const outcomes = ['fulfilled', 'rejected', 'fulfilled'];

  it('run once if one of them fails before it has changed anything', async () => {
    const fail = async (tx: WriteTransaction) => {
      await tx.get(pages, 'a');
      throw new Error('no');
    };
    expect(await inGroup(fail)).toEqual({ runs: [1, 1, 1], outcomes, ids: ['a'] });
  });

  it('run again if one of them fails after a change, which is undone', async () => {
    const fail = async (tx: WriteTransaction) => {
      await tx.insert(pages, { id: 'b', space: 's' });
      await tx.update(pages, 'a', { title: 'changed' });
      throw new Error('no');
    };
    expect(await inGroup(fail)).toEqual({ runs: [2, 2, 1], outcomes, ids: ['a'] });
  });
});
