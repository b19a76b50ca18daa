import { Readable } from 'node:stream';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import type { Checkpoint, Checkpoints } from '../../src/ingest/checkpoint.ts';
import { readMapping } from '../../src/ingest/mapping.ts';
import { runIngest, type IngestOptions } from '../../src/ingest/run-ingest.ts';

const folder = mkdtempSync(join(tmpdir(), 'docsctl-ingest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.ndjson');
const nothing = { tick: () => {}, note: () => {}, done: () => {} };

/** Checkpoints in memory, which are kept between runs. */
function memory(): Checkpoints & { readonly kept: Map<string, Checkpoint> } {
  const kept = new Map<string, Checkpoint>();
  return { kept, get: (name) => kept.get(name), set: (name, mark) => void kept.set(name, mark) };
}

/** An organization that collects IDs. `stop` is called with each batch before it is accepted. */
function desk(marks: Checkpoints) {
  const ids: string[] = [];
  const rejected: string[] = [];
  const run = (
    more: Partial<IngestOptions> = {},
    before: (call: number, controller: AbortController) => void | Promise<void> = () => {},
  ) => {
    const controller = new AbortController();
    let calls = 0;
    const api = {
      place: 'test',
      call: async (_: unknown, { body }: { body: { conversations: { id: string }[] } }) => {
        await before(++calls, controller);
        if (body.conversations.some(({ id }) => id.startsWith('bad')))
          throw new Problem('invalid-input', 'bad id');
        ids.push(...body.conversations.map(({ id }) => id));
        return { created: body.conversations.length, updated: 0, unchanged: 0 };
      },
    };
    const rejects = {
      add: (entry: { line: number }, reason: string) => void rejected.push(`${entry.line} ${reason}`),
      close: () => {},
    };
    return runIngest(
      { signal: controller.signal, note: () => {}, openStdin: () => Readable.from([]) },
      { api: api as never, organizationId: 'o' },
      {
        sources: [{ name: 'a', path }],
        redact: [],
        onDuplicate: 'replace',
        concurrency: 1,
        checkpoints: marks,
        rejects,
        progress: nothing,
        format: 'ndjson',
        ...more,
      },
    );
  };
  return { ids, rejected, run };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${JSON.stringify({ id: `c${from + index}` })}\n`).join('');

it('reports rejected records in the order of the file, whichever batch ends first', async () => {
  const bad = (id: string) => `{"id":"bad${id}"}\n`;
  writeFileSync(path, `${bad('a')}no json\n${bad('b')}${lines(0, 600)}no json\n${bad('c')}`);
  const { ids, rejected, run } = desk(memory());
  const { counts } = await run({ concurrency: 2 });
  const reasons = rejected.map((line) => line.replace(/ the line is not valid.*/, ' no json'));
  expect(reasons).toEqual(['1 bad id', '2 no json', '3 bad id', '604 no json', '605 bad id']);
  expect([counts.failed, ids.length]).toEqual([5, 600]);
});

it.each([
  ['csv', 'id,text\nc1,x\n', 'id,other\nc2,y\n'],
  ['ndjson', '{"id":"c1","text":"x"}\n', '{"id":"c2","other":"y"}\n'],
] as const)(
  'sends no file if the first records of another one do not have a mapped field: %s',
  async (format, a, b) => {
    const other = join(folder, 'b');
    const sources = [
      { name: 'a', path },
      { name: 'b', path: other },
    ];
    writeFileSync(path, a);
    writeFileSync(other, b);
    const { ids, run } = desk(memory());
    const mapping = readMapping(['body=text'], [], undefined, undefined);
    const { failure, counts } = await run({ format, mapping, sources });
    expect([failure, counts.created]).toMatchObject([{ reason: 'invalid-input' }, 0]);
    writeFileSync(other, a.replace('c1', 'c2'));
    expect((await run({ format, mapping, sources })).failure).toBeUndefined();
    expect(ids).toEqual(['c1', 'c2']);
  },
);

describe('continuing an ingest', () => {
  it.each(['ndjson', 'csv', 'json', 'yaml'] as const)(
    'resumes at the same position after a signal: %s',
    async (format) => {
      const written = {
        ndjson: lines(0, 1300),
        csv: `id,body\n${Array.from({ length: 1300 }, (_, index) => `c${index},x\n`).join('')}`,
        json: `[${Array.from({ length: 1300 }, (_, index) => `{"id":"c${index}"}`).join(',\n')}]`,
        yaml: Array.from({ length: 1300 }, (_, index) => `---\nid: c${index}\n`).join(''),
      };
      writeFileSync(path, written[format]);
      const marks = memory();
      const { ids, rejected, run } = desk(marks);
      const first = await run({ format }, (call, controller) => void (call === 2 && controller.abort()));
      expect([first.interrupted, first.failure, ids.length, rejected]).toEqual([true, undefined, 1000, []]);
      const second = await run({ format });
      expect([second.interrupted, second.counts.created, new Set(ids).size, ids.length]).toEqual([
        false,
        300,
        1300,
        1300,
      ]);
      expect((await run({ format })).counts.created).toBe(0);
    },
  );

  it('saves checkpoints in the order of the file, whichever batch ends first', async () => {
    writeFileSync(path, lines(0, 2000));
    const marks = memory();
    const { run } = desk(marks);
    let release = () => {};
    const slow = new Promise<void>((resolve) => (release = resolve));
    const ran = run({ concurrency: 2 }, async (call) => {
      if (call === 1) await slow;
      if (call === 3) {
        expect(marks.kept.size).toBe(0);
        release();
      }
    });
    expect((await ran).counts.created).toBe(2000);
    expect(marks.kept.get('a')!.line).toBe(2000);
  });

  it('saves no checkpoint after records that were not accepted', async () => {
    writeFileSync(path, lines(0, 1500));
    const marks = memory();
    const { ids, run } = desk(marks);
    const failed = await run({}, (call) => {
      if (call === 2) throw new Problem('unreachable', 'gone');
    });
    expect([(failed.failure as Problem).message, marks.kept.get('a')!.line]).toEqual(['gone', 500]);
    await run();
    expect(new Set(ids).size).toBe(1500);
  });

  it('reads only appended lines, but the whole file if it was replaced', async () => {
    writeFileSync(path, lines(0, 3));
    const { ids, run } = desk(memory());
    await run();
    writeFileSync(path, lines(0, 5));
    expect((await run()).counts.created).toBe(2);
    writeFileSync(path, lines(0, 5).replace('c1', 'x1'));
    expect((await run()).counts.created).toBe(5);
    writeFileSync(path, lines(0, 2));
    expect((await run()).counts.created).toBe(2);
    expect(ids).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c0', 'x1', 'c2', 'c3', 'c4', 'c0', 'c1']);
  });

  it('reads a line again that was incomplete, with its correct number', async () => {
    writeFileSync(path, `${lines(0, 2)}\n{"id":"c2`);
    const { ids, rejected, run } = desk(memory());
    expect((await run()).counts.failed).toBe(1);
    expect(rejected[0]).toMatch(/^4 the line is not valid JSON/);
    writeFileSync(path, `${lines(0, 2)}\n{"id":"c2"}\n{bad\n`);
    await run();
    expect([ids, rejected[1]]).toEqual([['c0', 'c1', 'c2'], expect.stringMatching(/^5 the line is not/)]);
  });

  it('ingests every record once, however files grow and runs stop', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(900), fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (steps) => {
          const marks = memory();
          const { ids, run } = desk(marks);
          let count = 0;
          let isWriting = false;
          for (const [more, stop, cut] of steps) {
            count += more;
            // The incomplete line at the end is still being written, and is completed later.
            isWriting = cut || (isWriting && more === 0);
            writeFileSync(path, `${lines(0, count)}${isWriting ? '{"id"' : ''}`);
            await run({}, (call, controller) => void (call === stop && controller.abort()));
          }
          writeFileSync(path, lines(0, ++count));
          await run();
          expect(ids).toEqual(Array.from({ length: count }, (_, index) => `c${index}`));
        },
      ),
      { numRuns: 25 },
    ));
});

describe('records that are single messages', () => {
  const mapping = readMapping([], [], undefined, 'id');
  const rows = (numbers: readonly number[]) =>
    numbers.map((number) => `${JSON.stringify({ id: `c${number}`, body: 'x' })}\n`).join('');
  const all = Array.from({ length: 3000 }, (_, at) => at % 1300);

  it('are sent as conversations, also by a run that continues after a signal', async () => {
    writeFileSync(path, rows(all));
    const { ids, run } = desk(memory());
    const first = await run({ mapping }, (call, controller) => void (call === 2 && controller.abort()));
    expect([first.interrupted, ids.length]).toEqual([true, 1000]);
    await run({ mapping });
    expect([new Set(ids).size, ids.length]).toEqual([1300, 1300]);
  });

  it('are sent with all messages of a conversation that has a new message', async () => {
    writeFileSync(path, rows([1, 2, 3, 1]));
    const { ids, run } = desk(memory());
    await run({ mapping });
    expect(ids).toEqual(['c2', 'c3', 'c1']);
    writeFileSync(path, rows([1, 2, 3, 1, 4, 2]));
    const shown: unknown[] = [];
    await run({ mapping, preview: (values) => Promise.resolve((shown.push(...values), true)) });
    expect(shown).toMatchObject([
      { id: 'c4', parts: [{}] },
      { id: 'c2', parts: [{}, {}] },
    ]);
    await run({ mapping });
    expect((await run({ mapping })).counts.created).toBe(0);
    expect(ids).toEqual(['c2', 'c3', 'c1', 'c4', 'c2']);
  });

  it('are not sent if the file cannot be read to its end', async () => {
    writeFileSync(path, `id,body\nc1,x\nc2,y\nc1,"z\n`);
    const { ids, run } = desk(memory());
    expect((await run({ mapping, format: 'csv' })).failure).toMatchObject({ reason: 'invalid-input' });
    expect(ids).toEqual([]);
  });
});

it('ends a preview after the first batch that has enough to show', async () => {
  const wrong = '{"id":7}\n'.repeat(499);
  const right = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `{"id":"c${at}","parts":[{"type":"message","role":"user","body":"x"}]}\n`,
    ).join('');
  writeFileSync(path, right(1) + wrong + wrong + '{"id":7}\n' + right(500));
  const show = async (isEnough: boolean) => {
    const shown: number[] = [];
    const { checked } = await desk(memory()).run({
      preview: (values) => Promise.resolve((shown.push(values.length), !isEnough)),
    });
    return [shown, checked];
  };
  expect(await show(true)).toEqual([[1], 1]);
  expect(await show(false)).toEqual([[1, 500], 501]);
});
