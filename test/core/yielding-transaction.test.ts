import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { table, type Row, type Store } from '../../src/core/store.ts';
import { HeavyCallError } from '../../src/core/heavy-call-error.ts';
import { yieldingTransaction } from '../../src/core/yielding-transaction.ts';
import { openMemory } from '../../src/stores/memory.ts';
import { mockBusyClock } from '../support/busy-clock.ts';

const notes = table<Row>()('notes', { byId: { on: [] } });

describe('yieldingTransaction', () => {
  let store: Store;
  beforeEach(() => {
    store = openMemory('memory:', [notes]);
    mockBusyClock();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
  });
  const ids = () =>
    store.read(async (view) =>
      (await view.find(notes, { index: 'byId', equals: [], limit: 10 })).map(({ id }) => id),
    );

  it('reads and writes like the transaction', async () => {
    await store.write(async (transaction) => {
      const tx = yieldingTransaction(transaction);
      await tx.insert(notes, { id: 'a' });
      await tx.insert(notes, { id: 'b' });
      expect(await tx.update(notes, 'a', {})).toEqual({ id: 'a' });
      expect(await tx.get(notes, 'a')).toEqual({ id: 'a' });
      expect(await tx.count(notes, 'byId', [])).toBe(2);
      expect(await tx.scan(notes, 'a', 5)).toMatchObject([{ id: 'b' }]);
      expect(await tx.remove(notes, 'b')).toBe(true);
    });
    expect(await ids()).toEqual(['a']);
  });

  it('lets other work run between two rows', async () => {
    const turns: string[] = [];
    const writing = store.write(async (transaction) => {
      const tx = yieldingTransaction(transaction);
      for (let id = 0; id < 100; id++) {
        await tx.insert(notes, { id: `n${id}` });
        turns.push('row');
      }
    });
    void setImmediate().then(() => turns.push('other'));
    await writing;
    expect(turns).toHaveLength(101);
    expect(turns.indexOf('other')).toBeLessThan(50);
  });

  it('stops soon after its time limit, and nothing is saved', async () => {
    let steps = 0;
    const writing = store.write(async (transaction) => {
      const tx = yieldingTransaction(transaction, undefined, undefined, 0);
      for (; steps < 1000; steps++) await tx.insert(notes, { id: `n${steps}` });
    });
    await expect(writing).rejects.toBeInstanceOf(HeavyCallError);
    expect(steps).toBeLessThan(200);
    expect(await ids()).toEqual([]);
  });

  it('has no time limit for few rows', async () => {
    await store.write(async (transaction) => {
      const tx = yieldingTransaction(transaction, undefined, undefined, 0);
      for (let id = 0; id < 50; id++) await tx.insert(notes, { id: `n${id}` });
    });
    expect(await ids()).toHaveLength(10);
  });

  it('stops at the next row if interrupted, and nothing is saved', async () => {
    const stop = new AbortController();
    const writing = store.write(async (transaction) => {
      const tx = yieldingTransaction(transaction, stop.signal);
      await tx.insert(notes, { id: 'a' });
      stop.abort();
      await tx.insert(notes, { id: 'b' });
    });
    await expect(writing).rejects.toMatchObject({ reason: 'interrupted' });
    expect(await ids()).toEqual([]);
  });
});
