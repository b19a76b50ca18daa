import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stemLikeFts5 } from '../../src/core/porter.ts';
import { table, type Hit, type Store } from '../../src/core/store.ts';
import { open, temporaryFolder, texts, type TextRow } from './fixtures.ts';

// A few words, so that they occur often, with every kind of letter that is treated specially.
const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'store',
      'stores',
      'storing',
      'feature',
      'a',
      'getUser',
      'getUserById',
      'user',
      'id',
      'HTTPServer',
      'v2',
      'x'.repeat(70),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '資料庫',
      '資料',
      '庫',
      '料庫資',
      'データ',
      'ข้อมูล',
      '데이터',
      'é',
      'e\u0301',
      'É',
      'naïve',
      'naives',
      'Straße',
      'дs',
      'ελλάς',
      'ΕΛΛΆΣ',
      'हिन्दी',
      'ﬁx',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const gap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  '_',
  '.',
  '-',
  '',
  '"',
  ' "',
  '" ',
  '\n',
  '/',
  ': ',
  '*',
  '(',
  '😀',
  '。',
  '\0',
  '\u200b',
  '\ud800',
);
const textOf = (maxLength: number) =>
  fc.array(fc.tuple(word, gap), { maxLength }).map((list) => list.flat().join(''));

const row = fc.record({ space: fc.constantFrom('s', 't', null), title: textOf(3), body: textOf(8) });
const step = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  row: fc.option(row, { nil: undefined }),
  fails: fc.boolean(),
});
const query = fc.record({
  query: textOf(4),
  anyOf: fc.constantFrom([['s']], [['s'], ['t']], [[null], ['s']]),
});

async function apply(
  store: Store,
  steps: readonly { id: string; row: Omit<TextRow, 'id'> | undefined; fails: boolean }[],
): Promise<void> {
  for (const { id, row: to, fails } of steps) {
    const write = store.write(async (tx) => {
      const old = await tx.get(texts, id);
      if (to === undefined) await tx.remove(texts, id);
      else if (old === undefined) await tx.insert(texts, { id, ...to });
      else await tx.update(texts, id, to);
      if (fails) throw new Error('no');
    });
    await write.catch((error: Error) => expect(error.message).toBe('no'));
  }
}

test('memory, JSON and SQLite stores find the same rows', async () => {
  const folder = temporaryFolder();
  let runs = 0;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 20 }),
      fc.array(query, { minLength: 3, maxLength: 10 }),
      async (steps, queries) => {
        runs += 1;
        const half = steps.length >> 1;
        const answers: string[][][] = [];
        for (const url of [
          'memory:',
          `sqlite:${join(folder, `${runs}.db`)}`,
          ...(runs % 10 === 0 ? [`json:${join(folder, `${runs}.json`)}`] : []),
        ]) {
          const store = await open(url);
          const seen: string[][] = [];
          for (const part of [steps.slice(0, half), steps.slice(half)]) {
            await apply(store, part);
            for (const one of queries) {
              const hits = await store.read((view) =>
                view.search(texts, { index: 'bySpace', limit: 99, ...one }),
              );
              for (const [at, { score }] of hits.entries())
                expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? 3);
              seen.push(hits.map(({ id }) => id).sort());
            }
          }
          answers.push(seen);
          await store.close();
        }
        for (const other of answers.slice(1)) expect(other).toEqual(answers[0]);
        found += answers[0]!.flat().length;
      },
    ),
    { numRuns: 50, seed: 3 },
  );
  expect(found).toBeGreaterThan(100);
}, 60_000);

test('memory and SQLite stores rank rows in the same way', async () => {
  const folder = temporaryFolder();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 3, maxLength: 30 }),
      fc.array(query, { minLength: 3, maxLength: 10 }),
      async (rows, queries) => {
        runs += 1;
        const answers: (readonly Hit[])[][] = [];
        for (const url of ['memory:', `sqlite:${join(folder, `${runs}.db`)}`]) {
          const store = await open(url);
          await store.write(async (tx) => {
            for (const [at, each] of rows.entries()) await tx.insert(texts, { id: `r${at}`, ...each });
          });
          answers.push(
            await Promise.all(
              queries.map((one) =>
                store.read((view) => view.search(texts, { index: 'bySpace', limit: 99, ...one })),
              ),
            ),
          );
          await store.close();
        }
        const [memory = [], sqlite = []] = answers.map((each) => each.flat());
        expect(memory.map(({ id }) => id)).toEqual(sqlite.map(({ id }) => id));
        for (const [at, { score }] of memory.entries()) expect(score).toBeCloseTo(sqlite[at]?.score ?? -1, 9);
      },
    ),
    { numRuns: 50, seed: 4 },
  );
}, 60_000);

test('computes the same stems as SQLite', () => {
  const endings = 's es ies sses eed ed ing at bl iz y ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize e ll ly'.split(' '); // prettier-ignore
  const letters = fc.array(fc.constantFrom(...'aeiouybcdfglmnstwxz', 'é', '資'), {
    minLength: 1,
    maxLength: 6,
  });
  const words = fc
    .sample(fc.tuple(letters, fc.array(fc.constantFrom(...endings), { maxLength: 3 })), {
      numRuns: 20_000,
      seed: 5,
    })
    .map((list) => list.flat(2).join(''));
  words.push(
    ...endings,
    'x'.repeat(63) + 's',
    'x'.repeat(64) + 's',
    `${'é'.repeat(31)}as`,
    `${'é'.repeat(32)}as`,
    'caresses',
    'ponies',
    'feed',
    'agreed',
    'plastered',
    'motoring',
    'hopping',
    'falling',
  );
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  database.exec(
    "CREATE VIRTUAL TABLE w USING fts5(word, content='', tokenize='porter ascii'); CREATE VIRTUAL TABLE v USING fts5vocab(w, 'instance'); BEGIN",
  );
  const insert = database.prepare('INSERT INTO w (rowid, word) VALUES (?, ?)');
  for (const [at, one] of words.entries()) insert.run(at, one);
  const expected = database.prepare('SELECT doc, term FROM v').all() as { doc: number; term: string }[];
  expect(expected).toHaveLength(words.length);
  expect(expected.filter(({ doc, term }) => stemLikeFts5(words[doc] as string) !== term)).toEqual([]);
});

test('indexes the rows that existed before the search index was added, and drops their words with it', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const without = table<TextRow>()('texts', texts.indexes);
  const rows = Array.from({ length: 450 }, (_, at): TextRow => ({
    id: `t${at}`,
    space: at % 2 === 0 ? 's' : 't',
    title: `number${at}`,
    body: 'old words',
  }));
  const old = await open(path, undefined, [without]);
  await old.write(async (tx) => {
    for (const one of rows) await tx.insert(without, one);
  });
  await old.close();

  const find = async (of: typeof texts, asked: string) => {
    const store = await open(path, undefined, [of]);
    const hits = await store.read((view) =>
      view.search(of, { index: 'bySpace', anyOf: [['s']], query: asked, limit: 999 }),
    );
    const count = await store.read((view) => view.count(of, 'bySpace', ['s']));
    await store.write((tx) => tx.update(of, 't0', { body: 'new words' }));
    await store.close();
    return [hits.length, count];
  };
  expect(await find(texts, 'old')).toEqual([225, 225]);
  expect(await find(texts, 'old')).toEqual([224, 225]);
  // Other fields or weights: the index is rebuilt.
  const titles = table<TextRow>()('texts', texts.indexes, { title: 1 });
  expect(await find(titles, 'number8')).toEqual([6, 225]);
  expect(await find(titles, 'old')).toEqual([0, 225]);

  // A process without search words writes. Processes with search words detect that they are outdated.
  const again = await open(path, undefined, [without]);
  await again.write((tx) => tx.update(without, 't2', { title: 'changed' }));
  await again.close();
  const names = () => {
    const database = new DatabaseSync(path);
    const found = database
      .prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'docsctl_words%'")
      .get() as { n: number };
    database.exec('VACUUM');
    database.close();
    return found.n;
  };
  expect(names()).toBe(0);
  expect(await find(texts, 'changed')).toEqual([1, 225]);
  expect(names()).toBeGreaterThan(0);
});

test('rebuilds a search index of an earlier version, which kept wrong totals', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const searchOnce = async () => {
    const store = await open(path);
    const hits = await store.read((view) =>
      view.search(texts, { index: 'all', anyOf: [[]], query: 'number1', limit: 9 }),
    );
    await store.close();
    return hits;
  };
  const store = await open(path);
  await store.write(async (tx) => {
    for (let at = 0; at < 9; at++) await tx.insert(texts, { id: `t${at}`, space: 's', body: `number${at}` });
  });
  await store.close();
  const expected = await searchOnce();
  expect(expected.map(({ id }) => id)).toEqual(['t1']);
  const database = new DatabaseSync(path);
  database.exec(`DROP TABLE docsctl_words_texts;
    CREATE VIRTUAL TABLE docsctl_words_texts USING fts5(w_title, w_body, content='', contentless_delete=1, tokenize='porter ascii');
    INSERT INTO docsctl_words_texts (rowid, w_body) SELECT number, data ->> 'body' FROM texts;
    INSERT INTO docsctl_words_texts (rowid, w_body) VALUES (100, 'removed');
    DELETE FROM docsctl_words_texts WHERE rowid = 100`);
  expect(await searchOnce()).not.toEqual(expected);
  database.exec(
    `UPDATE docsctl_meta SET value = replace(value, ',2,[[\\"title', ',1,[[\\"title') WHERE name = 'layout'`,
  );
  database.close();
  expect(await searchOnce()).toEqual(expected);
});

test('keeps the words of each row after VACUUM', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = await open(path);
  await store.write(async (tx) => {
    for (let at = 0; at < 50; at += 1)
      await tx.insert(texts, { id: `t${at}`, space: 's', body: `number${at}` });
    for (let at = 0; at < 50; at += 2) await tx.remove(texts, `t${at}`);
  });
  await store.close();
  const database = new DatabaseSync(path);
  database.exec('VACUUM');
  database.close();
  const again = await open(path);
  const hits = await again.read((view) =>
    view.search(texts, { index: 'all', anyOf: [[]], query: '"number31"', limit: 9 }),
  );
  expect(hits.map(({ id }) => id)).toEqual(['t31']);
});
