import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Type } from '../../../src/contract/schema.ts';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { applyPlan } from '../../../src/manifest/apply-plan.ts';
import { readDesired } from '../../../src/manifest/read-desired.ts';
import {
  keptRuns,
  listRunIds,
  newRunId,
  openJournal,
  runsFolder,
  type Journal,
} from '../../../src/manifest/journal/journal-file.ts';
import type { RunHeader, JournalLine } from '../../../src/manifest/journal/journal-lines.ts';
import { parseRun, readRun, runLimits } from '../../../src/manifest/journal/read-run.ts';
import { newestToUndo, summarizeRuns } from '../../../src/manifest/journal/summarize-runs.ts';
import { planUndo } from '../../../src/manifest/journal/plan-undo.ts';
import { kind, type Kind } from '../../../src/manifest/kind.ts';
import { openStateFile, stateFileName } from '../../../src/manifest/state-file.ts';
import { makePlan } from '../../../src/manifest/plan.ts';
import { surveyLive } from '../../../src/manifest/survey.ts';
import { folderOf, problemIn, readFolder } from '../read/folder.ts';
import { createUndoBench } from './undo-bench.ts';

const random = (count: number) => new Uint8Array(count).fill(7);
const headAt = (time: number, more: Partial<RunHeader> = {}): RunHeader => {
  const at = new Date(Date.parse('2026-01-05T09:00:00Z') + time);
  return {
    type: 'run',
    version: 1,
    id: newRunId(at.getTime(), random),
    place: 'p',
    organization: 'o',
    at: at.toISOString(),
    docsctl: '1',
    files: [],
    serial: 0,
    ...more,
  };
};
const end = (did: Record<string, number>): JournalLine => ({
  type: 'end',
  at: '2026-01-05T09:00:09Z',
  how: 'done',
  counts: { done: 1, failed: 0 },
  did,
});
const write = (folder: string, head: RunHeader, ...lines: JournalLine[]): void => {
  const file = openJournal(folder, head);
  for (const line of lines) file.append(line);
  file.close();
};

describe('a journal', () => {
  it('lies beside its lock, and is made by the first line', async () => {
    const folder = runsFolder(join(folderOf({}), stateFileName));
    expect(folder.endsWith('docsctl.runs')).toBe(true);
    expect(runsFolder('/x/other.json')).toBe(join('/x', 'other.runs'));
    const file = openJournal(folder, headAt(0));
    await file.sync();
    expect(existsSync(folder)).toBe(false);
    file.append(end({ create: 1 }));
    await file.sync();
    file.close();
    expect(statSync(join(folder, '20260105T090000000Z-070707.ndjson')).mode & 0o777).toBe(0o600);
    expect(readRun(folder, '20260105T090000000Z-070707')).toMatchObject({
      head: { place: 'p' },
      steps: [],
      end: { how: 'done' },
    });
  });

  it(`is kept with the newest ${keptRuns}; nothing else in the folder is touched`, () => {
    const folder = folderOf({ 'note.txt': '', '19990101T000000000Z-xyz.ndjson': '' });
    for (let run = 0; run < keptRuns + 3; run++) write(folder, headAt(run * 1000), end({}));
    expect(readdirSync(folder)).toHaveLength(keptRuns + 2);
    expect(listRunIds(folder)).toHaveLength(keptRuns);
    expect(listRunIds(folder).at(-1)).toBe(headAt(3000).id);
  });

  it('goes into no link and no file of the name of its folder, nor is it read from there', async () => {
    const other = folderOf({});
    for (let run = 0; run < keptRuns; run++)
      writeFileSync(join(other, `${headAt(run * 1000).id}.ndjson`), '');
    for (const place of [
      (path: string) => symlinkSync(other, path),
      (path: string) => symlinkSync(join(other, 'nowhere'), path),
      (path: string) => writeFileSync(path, ''),
    ]) {
      const folder = runsFolder(join(folderOf({}), stateFileName));
      place(folder);
      for (const work of [
        () => openJournal(folder, headAt(99_000)),
        () => readRun(folder, headAt(0).id),
        () => summarizeRuns(folder),
      ])
        expect(await problemIn((async () => work())())).toMatchObject({
          exitCode: 8,
          message: expect.stringContaining(folder) as string,
          hint: expect.stringContaining('nothing was changed') as string,
        });
      // Also where it is put there after the run began.
      const fresh = runsFolder(join(folderOf({}), stateFileName));
      const file = openJournal(fresh, headAt(99_000));
      place(fresh);
      expect((await problemIn((async () => file.append(end({})))())).reason).toBe('invalid-input');
    }
    expect(readdirSync(other)).toHaveLength(keptRuns);
  });

  it('with too much in it is listed, and neither shown nor undone', async () => {
    const folder = folderOf({});
    const step: JournalLine = {
      type: 'step',
      key: 'space.a',
      address: 'space.a',
      kind: 'space',
      action: 'delete',
      name: 'a',
      within: [],
      changes: [],
      owned: {},
    };
    const ended: JournalLine = { type: 'ended', key: 'space.a', status: 'done', owned: {} };
    const many = (head: RunHeader, steps: number): void =>
      writeFileSync(
        join(folder, `${head.id}.ndjson`),
        `${JSON.stringify(head)}\n${`${JSON.stringify(step)}\n${JSON.stringify(ended)}\n`.repeat(steps)}`,
      );
    const [most, over, large] = [headAt(0), headAt(1000), headAt(2000)];
    many(most, runLimits.steps);
    many(over, runLimits.steps + 1);
    write(folder, large, end({ delete: 9 }));
    expect(readRun(folder, most.id).steps).toHaveLength(runLimits.steps);
    expect(await problemIn((async () => readRun(folder, over.id))())).toMatchObject({
      reason: 'too-large',
      message: expect.stringContaining('more than 20000 steps') as string,
    });
    expect(summarizeRuns(folder).runs).toMatchObject([
      { head: large, did: { delete: 9 } },
      { head: over, ended: 'open', did: {} },
      { head: most, ended: 'open', did: { delete: runLimits.steps } },
    ]);
    truncateSync(join(folder, `${large.id}.ndjson`), runLimits.bytes + 1);
    expect(await problemIn((async () => readRun(folder, large.id))())).toMatchObject({
      reason: 'too-large',
      hint: expect.stringContaining('apply the manifest as it was') as string,
    });
  });

  it('that was cut in the middle of a line is read up to there', () => {
    const folder = folderOf({});
    const head = headAt(0);
    write(folder, head, end({ create: 1 }));
    const text = readFileSync(join(folder, `${head.id}.ndjson`), 'utf8');
    expect(parseRun(head.id, text.slice(0, -9)).end).toBeUndefined();
    for (const [damaged, what] of [
      ['', 'does not begin as one'],
      [text.slice(0, 40), 'was cut before its first line ended'],
      [`${text}{}\n`, 'has a line 3 that this docsctl does not know'],
      [`${text}nonsense\n`, 'has a line 3 that is not valid JSON'],
      [text.replace('"done"', '"gone"'), 'has a wrong line 2: /how'],
      [text.replace(head.id, '../../x'), 'says that it is of run "../../x"'],
      [text.replace('"files"', '"others"'), 'has a wrong line 1'],
    ] as const)
      expect(() => parseRun(head.id, damaged)).toThrow(what);
    writeFileSync(join(folder, `${head.id}.ndjson`), text.slice(0, -9));
    expect(summarizeRuns(folder).runs).toMatchObject([{ ended: 'open', did: {} }]);
  });

  it('knows what was undone, and what of that was undone', () => {
    const folder = folderOf({});
    const [one, two, other] = [headAt(0), headAt(1000), headAt(2000, { organization: 'x' })];
    for (const head of [one, two, other]) write(folder, head, end({ update: 1 }));
    const newest = () => newestToUndo(summarizeRuns(folder), 'p', 'o');
    expect(newest()).toBe(two.id);
    const undo = headAt(3000, { undoes: two.id });
    write(folder, undo, end({ update: 1 }));
    expect(newest()).toBe(one.id);
    write(folder, headAt(4000, { undoes: undo.id }), end({ update: 1 }));
    expect(newest()).toBe(two.id);
  });

  it('is not written where nothing changes', async () => {
    const bench = await createUndoBench();
    await bench.bring('spaces: { a: { title: A } }');
    await bench.bring('spaces: { a: { title: A } }');
    expect(bench.texts.map((text) => text === '')).toEqual([false, true]);
  });

  it('has what is lost on the disk before the delete is sent', async () => {
    const bench = await createUndoBench();
    await bench.bring(
      'collections: { c: { title: C } }\nspaces: { a: { title: A, parent: !ref collection.c } }',
    );
    const log: string[] = [];
    const file: Journal = {
      append: (line) =>
        void (
          line.type === 'step' && log.push(`wrote ${line.key} ${JSON.stringify(line.was?.fields ?? {})}`)
        ),
      sync: () => Promise.resolve(void log.push('synced')),
    };
    bench.before = ({ operation }) => void (operation.method === 'DELETE' && log.push(operation.id));
    await bench.bring('collections: {}\nspaces: {}', { prune: true, journal: { file, clock: () => 0 } });
    expect(log).toEqual([
      expect.stringMatching(
        /^wrote space.a {"title":"A","parent":"col_\w+","editMode":"live"}$|^wrote space.a {"title":"A","parent":"col_\w+"}$/,
      ),
      'synced',
      'spaces.delete',
      'wrote collection.c {"title":"C"}',
      'synced',
      'collections.delete',
      'synced',
    ]);
  });

  it('that cannot be written keeps the step from being done, and all behind it', async () => {
    for (const lines of [0, 1, 2, 3]) {
      const bench = await createUndoBench();
      bench.write('collections: { a: { title: A }, b: { title: B } }');
      let left = lines;
      const append: Journal['append'] = () => {
        if (left-- <= 0) throw new Problem('store-failed', 'The disk is full.');
      };
      const { counts } = await bench.apply({
        concurrency: 1,
        journal: { file: { append, sync: () => Promise.resolve() }, clock: () => 0 },
      });
      // A step has a line before its calls, one when its id is known, and one at its end.
      expect(counts).toMatchObject(lines === 0 ? { done: 0, failed: 1, skipped: 1 } : { done: 1, failed: 1 });
      expect(bench.changing).toHaveLength(lines === 0 ? 0 : 1);
    }
  });
});

describe('a secret', () => {
  const live = new Map<string, { id: string; title: string }>();
  const vault: Kind = kind<{ id: string; title: string }>({
    name: 'vault',
    slots: [{ field: 'vaults', as: 'map' }],
    keys: [['title']],
    fields: {
      title: { schema: Type.String(), create: 'also', required: true },
      token: { schema: Type.String({ secret: true }), writeOnly: true },
    },
    list: () => Promise.resolve([...live.values()]),
    create: (_, __, { title }) => {
      const body = { id: `v${live.size}`, title: String(title) };
      live.set(body.id, body);
      return Promise.resolve(body);
    },
    calls: {
      update: {
        send: (_, { id }, { title }) => {
          if (title !== undefined) live.set(id, { id, title: String(title) });
          return Promise.resolve();
        },
      },
    },
  });
  const api: Api = {
    place: 'https://vault.test',
    call: () => Promise.reject(new Error('no call')),
    close: () => Promise.resolve(),
  };

  it('is in no journal, not even as a hash, and an undo says that it cannot come back', async () => {
    const folder = folderOf({});
    const texts: string[] = [];
    let held = await openStateFile(
      { path: join(folder, stateFileName), place: api.place, organization: 'o', randomBytes: random },
      () => Promise.resolve(() => {}),
    );
    for (const [title, token] of [
      ['V', 'hush-one'],
      ['W', 'hush-two'],
    ]) {
      writeFileSync(
        join(folder, 'org.yaml'),
        `version: 1\nvaults: { v: { title: ${title}, token: !secret { env: TOKEN } } }`,
      );
      const desired = readDesired((await readFolder(folder, { env: { TOKEN: token } })).root, [vault]);
      const survey = await surveyLive({
        api,
        organization: 'o',
        desired,
        state: held.state,
        concurrency: 2,
        table: [vault],
      });
      const document = makePlan({ desired, survey, state: held.state, table: [vault] });
      const head = { ...headAt(0), place: api.place };
      let text = `${JSON.stringify(head)}\n`;
      const file: Journal = {
        append: (line) => void (text += `${JSON.stringify(line)}\n`),
        sync: () => Promise.resolve(),
      };
      await applyPlan({
        document,
        api,
        handle: held,
        concurrency: 1,
        table: [vault],
        secretOf: (from) => desired.secrets.get(from),
        journal: { file, clock: () => 0 },
      });
      texts.push(text);
    }
    const hash = (held.state.get('vault.v')!.fields['token'] as { hash: string }).hash;
    expect(texts.join('')).toContain('"field":"token","secret":true');
    expect(texts.join('')).not.toMatch(/hush/);
    expect(texts.join('')).not.toContain(hash);
    const run = parseRun(headAt(0).id, texts[1]!);
    const undo = await planUndo({ run, api, state: held.state, table: [vault], now: 0 });
    expect(undo.lost).toEqual(['vault.v: "token" is a secret that nobody can read; set it again.']);
    await applyPlan({ document: undo.document, api, handle: held, concurrency: 1, table: [vault] });
    await held.release();
    held = await openStateFile(
      { path: join(folder, stateFileName), place: api.place, organization: 'o', randomBytes: random },
      () => Promise.resolve(() => {}),
    );
    // What is live is the new one, and the lock goes on saying so.
    expect(held.state.get('vault.v')!.fields).toEqual({
      title: 'V',
      token: { 'docsctl:secret': 'env TOKEN', hash },
    });
    await held.release();
  });
});

it('runs of another organization are not undone here', async () => {
  const bench = await createUndoBench();
  await bench.bring('teams: { t: { title: T } }');
  const run = bench.run();
  expect(
    await problemIn(
      bench.planUndo(-1, { run: { ...run, head: { ...run.head, organization: bench.world.otherOrg } } }),
    ),
  ).toMatchObject({ reason: 'precondition-failed' });
});
