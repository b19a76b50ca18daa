import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { table, type Row, type Store } from '../../../src/core/store.ts';
import { openStore } from '../../../src/stores/index.ts';
import { SnapshotStamp } from '../../../src/stores/postgres/snapshot-stamp.ts';
import { publishedSite } from '../../publishing/published-site.ts';
import { startReader } from '../../server/site-reader.ts';
import { startFaultyPostgres } from '../../support/postgres-faults.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';

/** The number of changes, of which none may be missed (default: enough to find errors without stamps). */
const changes = Number(process.env['STAMP_CHANGES'] ?? 200);

interface CounterRow extends Row {
  readonly number: number;
}
const counters = table<CounterRow>()('counters', {});
const tables = [counters];

async function open(url: string): Promise<Store & Required<Pick<Store, 'fetchStamp'>>> {
  const store = await openStore(url, { tables });
  onTestFinished(() => store.close());
  const { fetchStamp } = store;
  if (fetchStamp === undefined) throw new Error('The store has no stamps.');
  return { ...store, fetchStamp };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

test('returns no stamp for a standby or a lost connection', async () => {
  const answered = (text: string | null) => ({
    queryOnOne: async () => ({ answer: [[text]], connection: 4 }),
  });
  expect(await new SnapshotStamp(answered('5:5:')).read()).toBe('4 5:5:');
  // A standby.
  expect(await new SnapshotStamp(answered(null)).read()).toBeUndefined();
  const lost = { queryOnOne: () => Promise.reject(new Error('lost')) };
  expect(await new SnapshotStamp(lost).read()).toBeUndefined();
});

test('returns no stamp if the database does not answer within a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stamp = new SnapshotStamp({ queryOnOne: () => new Promise(() => {}) });
  for (let round = 0; round < 2; round++) {
    const asked = stamp.read();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    vi.advanceTimersByTime(1000);
    expect(await asked).toBeUndefined();
  }
});

test('shares one statement between simultaneous calls', async () => {
  let sent = 0;
  const ends: (() => void)[] = [];
  const stamp = new SnapshotStamp({
    queryOnOne: () => {
      const text = String(++sent);
      return new Promise((resolve) => ends.push(() => resolve({ answer: [[text]], connection: 1 })));
    },
  });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const first = [stamp.read(), stamp.read()];
  expect(sent).toBe(0);
  await expect.poll(() => sent).toBe(1);
  const others = [stamp.read(), stamp.read()];
  await turn();
  expect(sent).toBe(1);
  ends[0]?.();
  expect(await Promise.all(first)).toEqual(['1 1', '1 1']);
  await expect.poll(() => sent).toBe(2);
  expect(await Promise.race([...others, turn()])).toBeUndefined();
  ends[1]?.();
  expect(await Promise.all(others)).toEqual(['1 2', '1 2']);
});

describe.skipIf(!hasPostgres())('the stamp of a store in PostgreSQL', () => {
  test('is kept while nothing changes, and ends with the connection', async () => {
    const { url, endConnections, restart } = await startFaultyPostgres();
    const store = await open(url);
    // The server itself can change its statistics in the meantime.
    const lasts = async (): Promise<boolean> => {
      const before = await store.fetchStamp();
      await store.read((view) => view.get(counters, 'a'));
      return before !== undefined && before === (await store.fetchStamp());
    };
    await expect.poll(lasts, { timeout: 20_000 }).toBe(true);
    for (const end of [() => endConnections('docsctl'), restart]) {
      const before = await store.fetchStamp();
      await end();
      const isAnother = async () => ![undefined, before].includes(await store.fetchStamp());
      await expect.poll(isAnother, { timeout: 20_000 }).toBe(true);
    }
  }, 60_000);

  test('allows cached pages of sites to be sent without reading them', async () => {
    const { url } = await startFaultyPostgres();
    const site = await publishedSite(
      [
        { title: 'Start', text: 'Begin.' },
        { title: 'Setup', text: 'Set it up.' },
      ],
      {},
      url,
    );
    onTestFinished(() => site.core.store.close());
    const reader = await startReader(site.core);
    const first = await reader.ask('setup');
    const reads = async (): Promise<number> => {
      reader.reads();
      expect(await reader.ask('setup')).toEqual(first);
      return reader.reads();
    };
    await expect.poll(reads, { timeout: 20_000 }).toBe(0);
  }, 60_000);

  test('is not available if connections may go through a pooler', async () => {
    // Without lanes, a pooler cannot be detected.
    const store = await openStore(await emptyPostgres('&lanes=off'), { tables });
    expect(store.fetchStamp).toBeUndefined();
    await store.close();
  });

  test('is the same only while the committed data is the same, whatever transactions are open', async () => {
    // This server is used only here, so the transactions of other tests do not change the stamp.
    const url = `${(await startFaultyPostgres()).url}?schema=own`;
    const store = await open(url);
    const client = await connect(url);
    const schema = new URL(url).searchParams.get('schema');
    await client.query(`CREATE TABLE "${schema}".plain (id int PRIMARY KEY, number int NOT NULL)`);
    await client.query(`INSERT INTO "${schema}".plain SELECT id, 0 FROM generate_series(0, 9) AS id`);
    const writers = [await connect(url), await connect(url), await connect(url)];
    const step = fc.record({
      writer: fc.nat(writers.length - 1),
      does: fc.constantFrom(
        'BEGIN',
        'change',
        'SAVEPOINT s',
        'change',
        'ROLLBACK TO s',
        'COMMIT',
        'ROLLBACK',
        'change',
      ),
    });
    let number = 0;
    const same = { seen: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const found = new Map<string, string>();
        const look = async (): Promise<void> => {
          const stamp = await store.fetchStamp();
          const { rows } = await client.query(`SELECT * FROM "${schema}".plain ORDER BY id`);
          const content = JSON.stringify(rows);
          if (stamp === undefined) throw new Error('no stamp');
          const known = found.get(stamp);
          if (known !== undefined) {
            same.seen++;
            expect(content).toBe(known);
          }
          found.set(stamp, content);
        };
        await look();
        const isOpen = writers.map(() => false);
        for (const { writer, does } of steps) {
          const change = `UPDATE "${schema}".plain SET number = ${++number} WHERE id % 3 = ${writer}`;
          if (does === 'BEGIN' || does === 'COMMIT' || does === 'ROLLBACK') {
            if (isOpen[writer] === (does === 'BEGIN')) continue;
            isOpen[writer] = does === 'BEGIN';
          } else if (does !== 'change' && !isOpen[writer]) continue;
          // If there is no such savepoint, the transaction has failed, and its commit is a rollback.
          await writers[writer]?.query(does === 'change' ? change : does).catch(() => {});
          await look();
        }
        for (const writer of writers) await writer.query('ROLLBACK');
      }),
      { numRuns: 40, seed: 23 },
    );
    expect(same.seen).toBeGreaterThan(50);
  }, 60_000);

  test(
    'always changes after an acknowledged change',
    async () => {
      const url = await emptyPostgres();
      const [writer, reader] = [await open(url), await open(url)];
      await writer.write((tx) => tx.insert(counters, { id: 'a', number: 0 }));
      let acknowledged = 0;
      let kept: { readonly stamp: string | undefined; readonly number: number } | undefined;
      const found = { stale: 0, kept: 0, read: 0 };
      const look = async (): Promise<void> => {
        const least = acknowledged;
        const stamp = await reader.fetchStamp();
        let number = kept !== undefined && kept.stamp === stamp ? kept.number : undefined;
        if (number === undefined) {
          number = (await reader.read((view) => view.get(counters, 'a')))?.number ?? -1;
          kept = { stamp, number };
          found.read++;
        } else found.kept++;
        if (number < least) found.stale++;
      };
      const isOver = () => acknowledged >= changes;
      await Promise.all([
        ...Array.from({ length: 3 }, async () => {
          while (!isOver()) await look();
        }),
        (async () => {
          for (let number = 1; number <= changes; number++) {
            await writer.write((tx) => tx.update(counters, 'a', { number }));
            acknowledged = number;
            await look();
          }
        })(),
      ]);
      expect(found.stale).toBe(0);
      expect(found.read).toBeGreaterThan(changes / 2);
      if (changes > 1000) console.log(`${changes} changes: ${JSON.stringify(found)}`);
    },
    60_000 + changes * 50,
  );
});
