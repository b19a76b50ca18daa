import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupRecords } from '../../src/ingest/group-records.ts';
import { NumbersByText } from '../../src/ingest/numbers-by-text.ts';
import type { SourceRecord } from '../../src/ingest/source-record.ts';
import { TextSpool } from '../../src/ingest/text-spool.ts';

type Value = { readonly id?: string; readonly n: number };
const idOf = (value: unknown) => (value as Value).id;

async function group(values: readonly Value[], more: Partial<SourceRecord> = {}): Promise<SourceRecord[]> {
  const records = values.map((value, at) => ({
    file: 'f',
    line: at + 1,
    end: (at + 1) * 10,
    value,
    ...more,
  }));
  const found: SourceRecord[] = [];
  for await (const some of groupRecords(inPairs(records), 'f', idOf)) found.push(...some);
  return found;
}

async function* inPairs(records: SourceRecord[]): AsyncGenerator<SourceRecord[]> {
  for (let at = 0; at < records.length; at += 2) yield await Promise.resolve(records.slice(at, at + 2));
}

describe('grouping records with the same ID', () => {
  it('returns one record at the position of the last, in any order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.nat(9), { nil: undefined })), async (ids) => {
        const values = ids.map((id, n) => ({ ...(id === undefined ? {} : { id: `i${id}` }), n }));
        const found = await group(values);
        const ends = found.map(({ end }) => end);
        expect(ends).toEqual(ends.toSorted((one, other) => one - other));
        for (const { value, rows, line, end } of found) {
          if (rows === undefined) expect([idOf(value), line * 10]).toEqual([undefined, end]);
          else {
            expect(value).toEqual(values.filter(({ id }) => id === idOf(rows[0]!.value)));
            expect([rows[0]!.line, rows.at(-1)!.end]).toEqual([line, end]);
          }
        }
        expect(found.flatMap(({ value }) => value)).toHaveLength(values.length);
      }),
    ));

  it('does not group records that could not be read', async () => {
    const found = await group(
      [
        { id: 'a', n: 1 },
        { id: 'a', n: 2 },
      ],
      { problem: 'the line is not UTF-8 text' },
    );
    expect(found.map(({ value, rows }) => [value, rows])).toEqual([
      [{ id: 'a', n: 1 }, undefined],
      [{ id: 'a', n: 2 }, undefined],
    ]);
  });

  it('refuses more records than a conversation can have', async () => {
    expect((await group(Array.from({ length: 10_000 }, (_, n) => ({ id: 'a', n }))))[0]!.rows).toHaveLength(
      10_000,
    );
    const [, large] = await group(Array.from({ length: 10_002 }, (_, n) => ({ id: n === 5 ? 'b' : 'a', n })));
    expect(large).toMatchObject({
      line: 1,
      end: 100_020,
      problem:
        'the conversation has 10001 messages; the limit is 10000; check that the field with its ID is the right one',
    });
  });
});

it('reads texts from memory and from a temporary file, in any order', () => {
  const spool = new TextSpool();
  const texts = Array.from({ length: 40 }, (_, at) => `${at} é `.repeat(at === 7 ? 1_200_000 : 60_000));
  const starts = texts.map((text) => {
    const start = spool.size;
    spool.add(text);
    return start;
  });
  const read = (at: number) => spool.read(starts[at]!, starts[at + 1] ?? spool.size);
  for (const order of [[...texts.keys()], [...texts.keys()].reverse(), [3, 30, 4, 7, 39, 38, 0]])
    for (const at of order) expect(read(at) === texts[at]).toBe(true);
  spool.close();
});

it('stores the number of each text like a map', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat()), { maxLength: 5000 }), (entries) => {
      const [numbers, map] = [new NumbersByText(), new Map<string, number>()];
      for (const [text, number] of entries) {
        expect(numbers.has(String(text))).toBe(map.has(String(text)));
        expect(numbers.set(String(text), number)).toBe(map.get(String(text)));
        map.set(String(text), number);
      }
      expect(numbers.size).toBe(map.size);
    }),
    { numRuns: 20 },
  ));
