import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalLine, RunHeader } from '../../../src/manifest/journal/journal-lines.ts';
import { parseRun, readRun, runLimits } from '../../../src/manifest/journal/read-run.ts';
import { newestToUndo, summarizeRuns } from '../../../src/manifest/journal/summarize-runs.ts';
import { folderOf, problemIn } from '../read/folder.ts';
import { headerAt, runEnd, writeJournal } from './journals.ts';

describe('a journal in the list of runs', () => {
  it('is listed, but cannot be shown or undone, if it exceeds the limits', async () => {
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
    const [most, over, large] = [headerAt(0), headerAt(1000), headerAt(2000)];
    many(most, runLimits.steps);
    many(over, runLimits.steps + 1);
    writeJournal(folder, large, runEnd({ delete: 9 }));
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
      hint: expect.stringContaining('apply the earlier version of the manifest') as string,
    });
  });

  it('is read up to the last complete line if it was cut', () => {
    const folder = folderOf({});
    const head = headerAt(0);
    writeJournal(folder, head, runEnd({ create: 1 }));
    const text = readFileSync(join(folder, `${head.id}.ndjson`), 'utf8');
    expect(parseRun(head.id, text.slice(0, -9)).end).toBeUndefined();
    for (const [damaged, what] of [
      ['', 'does not begin like a journal'],
      [text.slice(0, 40), 'was cut before its first line ended'],
      [`${text}{}\n`, 'has a line 3 that this version of docsctl does not know'],
      [`${text}nonsense\n`, 'has a line 3 that is not valid JSON'],
      [text.replace('"done"', '"gone"'), 'has an invalid line 2: /how'],
      [text.replace(head.id, '../../x'), 'belongs to run "../../x"'],
      [text.replace('"files"', '"others"'), 'has an invalid line 1'],
    ] as const)
      expect(() => parseRun(head.id, damaged)).toThrow(what);
    writeFileSync(join(folder, `${head.id}.ndjson`), text.slice(0, -9));
    expect(summarizeRuns(folder).runs).toMatchObject([{ ended: 'open', did: {}, failed: 0, waiting: 0 }]);
  });

  it('without an end is counted by its steps: done, failed and waiting', () => {
    const folder = folderOf({});
    const step = (key: string, action: 'create' | 'none'): JournalLine => ({
      type: 'step',
      key,
      address: key,
      kind: 'space',
      action,
      name: key,
      within: [],
      changes: [],
      owned: {},
    });
    const ended = (key: string, status: 'done' | 'failed' | 'waiting'): JournalLine => ({
      type: 'ended',
      key,
      status,
      owned: {},
    });
    writeJournal(
      folder,
      headerAt(0),
      step('space.a', 'create'),
      ended('space.a', 'done'),
      step('space.b', 'create'),
      ended('space.b', 'failed'),
      step('space.c', 'create'),
      ended('space.c', 'waiting'),
      step('space.d', 'none'),
      ended('space.d', 'done'),
      step('space.e', 'create'),
    );
    expect(summarizeRuns(folder).runs).toMatchObject([
      { ended: 'open', did: { create: 1 }, failed: 1, waiting: 1 },
    ]);
  });

  it('shows whether its run was undone, and whether that undo was undone', () => {
    const folder = folderOf({});
    const [one, two, other] = [headerAt(0), headerAt(1000), headerAt(2000, { organization: 'x' })];
    for (const head of [one, two, other]) writeJournal(folder, head, runEnd({ update: 1 }));
    const newest = () => newestToUndo(summarizeRuns(folder), 'p', 'o');
    expect(newest()).toBe(two.id);
    const undo = headerAt(3000, { undoes: two.id });
    writeJournal(folder, undo, runEnd({ update: 1 }));
    expect(newest()).toBe(one.id);
    // This run created resources again, with IDs that only its own journal contains.
    const redo = headerAt(4000, { undoes: undo.id });
    writeJournal(folder, redo, runEnd({ update: 1 }));
    expect(newest()).toBe(redo.id);
    writeJournal(folder, headerAt(5000, { undoes: redo.id }), runEnd({ update: 1 }));
    expect(newest()).toBe(one.id);
  });
});
