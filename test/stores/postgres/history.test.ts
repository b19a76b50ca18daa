import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { table, type Row } from '../../../src/core/store.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { findAnomalies, type ListOperation, type ListTransaction } from '../../support/history.ts';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { open } from '../fixtures.ts';

interface ListRow extends Row {
  readonly values: readonly number[];
}
const lists = table<ListRow>()('lists', {});

/** Seconds that the check takes (default: as many transactions as suffice to find a wrong isolation). */
const seconds = Number(process.env['HISTORY_SECONDS'] ?? 0);
const [storeCount, clientsPerStore, listCount, transactionsPerClient] = [3, 4, 6, 30];

/** Runs transactions that append to lists and read them on several stores at once, and returns what each one saw. */
async function runTransactions(
  stores: readonly Store[],
  afterEach: (count: number) => Promise<void>,
): Promise<ListTransaction[]> {
  const history: ListTransaction[] = [];
  let [time, nextValue, seed] = [0, 0, 7];
  const random = (count: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  const end = performance.now() + seconds * 1000;
  const client = async (store: Store): Promise<void> => {
    for (let at = 0; seconds > 0 ? performance.now() < end : at < transactionsPerClient; at++) {
      const steps = Array.from({ length: 1 + random(4) }, () => ({
        list: `l${random(listCount)}`,
        append: random(2) === 0 ? nextValue++ : undefined,
      }));
      const isRead = steps.every(({ append }) => append === undefined);
      const begun = time++;
      let done: ListOperation[] = [];
      let outcome: ListTransaction['end'] = 'done';
      const work = async (tx: Parameters<Parameters<Store['write']>[0]>[0]): Promise<void> => {
        done = [];
        for (const { list, append } of steps) {
          const values = (await tx.get(lists, list))?.values ?? [];
          if (append === undefined) done.push({ list, read: values });
          else {
            await tx.update(lists, list, { values: [...values, append] });
            done.push({ list, append });
          }
        }
      };
      try {
        if (isRead) await store.read((view) => work(view as never));
        else await store.write(work, { like: `steps ${steps.length}` });
      } catch (error) {
        if (!(error instanceof Problem) || error.reason !== 'store-busy') throw error;
        outcome = error.message.includes('may have been saved') ? 'unknown' : 'failed';
        done = steps.flatMap(({ list, append }) => (append === undefined ? [] : [{ list, append }]));
      }
      history.push({ end: outcome, begun, ended: time++, operations: done });
      await afterEach(history.length);
    }
  };
  await Promise.all(stores.flatMap((store) => Array.from({ length: clientsPerStore }, () => client(store))));
  const begun = time++;
  const [store] = stores;
  const operations = await store!.read((view) =>
    Promise.all(
      Array.from({ length: listCount }, async (_, at) => ({
        list: `l${at}`,
        read: (await view.get(lists, `l${at}`))?.values ?? [],
      })),
    ),
  );
  history.push({ end: 'done', begun, ended: time++, operations });
  return history;
}

async function openLists(name: string): Promise<{ readonly url: string; readonly stores: Store[] }> {
  const url = await emptyPostgres(`&connections=4&application_name=${name}`);
  const stores = [];
  for (let at = 0; at < storeCount; at++) stores.push(await open(url, undefined, [lists]));
  await stores[0]!.write(async (tx) => {
    for (let at = 0; at < listCount; at++) await tx.insert(lists, { id: `l${at}`, values: [] });
  });
  return { url, stores };
}

test(
  'transactions of several processes have a serial order, also when their connections are ended',
  { timeout: 60_000 + seconds * 2000 },
  async () => {
    const { url, stores } = await openLists('history');
    let killed = 0;
    const history = await runTransactions(stores, async (count) => {
      if (count % 45 !== 0) return;
      const rows = await query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'history'",
      );
      killed += rows.length;
    });
    expect(findAnomalies(history)).toEqual([]);
    expect(killed).toBeGreaterThan(10);
    expect(history.filter(({ end }) => end === 'done').length).toBeGreaterThan(
      0.8 * storeCount * clientsPerStore * transactionsPerClient,
    );
    if (seconds > 0) console.log(`${history.length} transactions, ${killed} connections ended`);
  },
);

test('the check finds what READ COMMITTED gets wrong', async () => {
  const original = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [sql, ...more] = given;
    const text = typeof sql === 'string' ? sql.replace('SERIALIZABLE', 'READ COMMITTED') : sql;
    return (original as (...values: unknown[]) => unknown).call(this, text, ...more) as never;
  });
  onTestFinished(() => spy.mockRestore());
  const { stores } = await openLists('control');
  const history = await runTransactions(stores, async () => {});
  expect(findAnomalies(history)).not.toEqual([]);
});
