import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { table, type Row } from '../../../src/core/store.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { findAnomalies, type ListOperation, type ListTransaction } from '../../support/history.ts';
import { startFaultyPostgres } from '../../support/postgres-faults.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { open } from '../fixtures.ts';

interface ListRow extends Row {
  readonly values: readonly number[];
}
const lists = table<ListRow>()('lists', {});

/** The duration of the check in seconds (default: the time that `transactions` take). */
const seconds = Number(process.env['HISTORY_SECONDS'] ?? 0);
/** The number of transactions (default: enough to detect a wrong isolation level). */
const transactions = Number(process.env['HISTORY_TRANSACTIONS'] ?? 360);
/** The number of connections that are closed during the check, one at a time. */
const kills = Number(process.env['HISTORY_KILLS'] ?? 24);
const [storeCount, clientsPerStore, listCount] = [3, 4, 6];

/**
 * Runs transactions that append to lists and read them on several stores at once, and returns what each one saw. A client whose
 * transaction failed waits for `recovered`.
 */
async function runTransactions(
  stores: readonly Store[],
  afterEach: (count: number) => Promise<void>,
  {
    seconds: limit = 0,
    recovered = async () => {},
  }: { seconds?: number; recovered?: () => Promise<void> } = {},
): Promise<ListTransaction[]> {
  const history: ListTransaction[] = [];
  let [time, nextValue, seed] = [0, 0, 7];
  const random = (count: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  const end = performance.now() + limit * 1000;
  const client = async (store: Store): Promise<void> => {
    while (limit > 0 ? performance.now() < end : history.length < transactions) {
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
      if (outcome !== 'done') await recovered();
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

function isPositive(count: number): boolean {
  return count > 0;
}

async function openLists(url: string): Promise<Store[]> {
  const stores = [];
  for (let at = 0; at < storeCount; at++) stores.push(await open(url, undefined, [lists]));
  await stores[0]!.write(async (tx) => {
    for (let at = 0; at < listCount; at++) await tx.insert(lists, { id: `l${at}`, values: [] });
  });
  return stores;
}

test.runIf(hasPostgres())(
  'several processes run transactions in a serial order, even if connections or the database fail',
  { timeout: 120_000 + seconds * 2000 + transactions * 60 },
  async () => {
    const database = await startFaultyPostgres();
    const stores = await openLists(`${database.url}?connections=4&application_name=history`);
    const done = { ended: 0, paused: 0, restarted: 0 };
    const faults = [
      async () => (done.ended += await database.endConnections('history')),
      async () => (await database.pause(200 + 10 * seconds), (done.paused += 1)),
      async () => (await database.restart(), (done.restarted += 1)),
    ];
    let [next, fault, dueAt] = [0, Promise.resolve(), 0];
    const between = { transactions: Math.ceil(transactions / 4), milliseconds: 5000 };
    const history = await runTransactions(
      stores,
      async (count) => {
        if (count % Math.ceil(transactions / kills) === 0)
          done.ended += await database.endConnection('history').catch(() => 0);
        const isDue = seconds > 0 ? performance.now() > dueAt : count % between.transactions === 0;
        if (!isDue) return;
        dueAt = performance.now() + between.milliseconds;
        const cause = faults[next++ % faults.length];
        await (fault = fault.then(async () => void (await cause?.())));
      },
      { seconds, recovered: () => fault },
    );
    expect(findAnomalies(history)).toEqual([]);
    expect(done.ended).toBeGreaterThan(10);
    expect(done).toMatchObject({
      paused: expect.toSatisfy(isPositive),
      restarted: expect.toSatisfy(isPositive),
    });
    const count = (end: string): number => history.filter((one) => one.end === end).length;
    expect(count('done')).toBeGreaterThan(0.8 * history.length);
    if (seconds > 0 || kills > 24)
      console.log(
        `${history.length} transactions: ${count('done')} done, ${count('failed')} failed, ${count('unknown')} unknown;`,
        `${done.ended} connections ended, ${done.paused} pauses, ${done.restarted} restarts`,
      );
  },
);

test.runIf(hasPostgres())('repeats a read whose connection ended before its commit', async () => {
  const url = await emptyPostgres();
  const [store, , other] = (await openLists(url)) as [Store, Store, Store];
  const application = `reader${process.pid}`;
  const reader = await open(`${url}&application_name=${application}`, undefined, [lists]);
  const seen: (readonly number[])[] = [];
  let [begin, goOn] = [() => {}, () => {}];
  const hasBegun = new Promise<void>((resolve) => (begin = resolve));
  const isRead = new Promise<void>((resolve) => (goOn = resolve));
  const written = store.write(async (tx) => {
    seen.push((await tx.get(lists, 'l0'))?.values ?? []);
    begin();
    await isRead;
    await tx.update(lists, 'l1', { values: [2] });
  });
  await hasBegun;
  await other.write(async (tx) => void (await tx.update(lists, 'l0', { values: [1] })));
  let attempts = 0;
  const read = await reader.read(async (view) => {
    const values = await Promise.all(['l0', 'l1'].map((id) => view.get(lists, id)));
    if (attempts++ === 0)
      await query(
        url,
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '${application}'`,
      );
    return values.map((row) => row?.values);
  });
  goOn();
  await written;
  // The write happens after the read that did not see it, so it must see what the read saw.
  expect([read, seen.at(-1)]).toEqual([[[1], []], [1]]);
  expect(attempts).toBe(2);
});

test('the check detects anomalies of READ COMMITTED', async () => {
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
  const stores = await openLists(await emptyPostgres('&connections=4'));
  const history = await runTransactions(stores, async () => {});
  expect(findAnomalies(history)).not.toEqual([]);
});
