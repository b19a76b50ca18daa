import fs, { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptRuns, listRunIds, openJournal, runsFolder } from '../../../src/manifest/journal/journal-file.ts';
import { readRun } from '../../../src/manifest/journal/read-run.ts';
import { summarizeRuns } from '../../../src/manifest/journal/summarize-runs.ts';
import { stateFileName } from '../../../src/manifest/state-file.ts';
import { folderOf, problemIn } from '../read/folder.ts';
import { headerAt, runEnd, writeJournal } from './journals.ts';

describe('a journal', () => {
  it('is in a folder beside its state file, and created with its first line', async () => {
    const folder = runsFolder(join(folderOf({}), stateFileName));
    expect(folder.endsWith('docsctl.runs')).toBe(true);
    expect(runsFolder('/x/other.json')).toBe(join('/x', 'other.runs'));
    const file = openJournal(folder, headerAt(0));
    await file.sync();
    expect(existsSync(folder)).toBe(false);
    file.append(runEnd({ create: 1 }));
    await file.sync();
    file.close();
    expect(statSync(join(folder, '20260105T090000000Z-070707.ndjson')).mode & 0o777).toBe(0o600);
    expect(readRun(folder, '20260105T090000000Z-070707')).toMatchObject({
      head: { place: 'p' },
      steps: [],
      end: { how: 'done' },
    });
  });

  it('is on the disk before a resource is deleted', async () => {
    const { fsync } = fs;
    onTestFinished(() => {
      fs.fsync = fsync;
      syncBuiltinESMExports();
    });
    const sizes: number[] = [];
    fs.fsync = Object.assign((file: number, done: fs.NoParamCallback) => {
      sizes.push(fs.fstatSync(file).size);
      done(null);
    }, fsync);
    syncBuiltinESMExports();
    const folder = folderOf({});
    const file = openJournal(folder, headerAt(0));
    file.append(runEnd({}));
    await file.sync();
    file.close();
    expect(sizes).toEqual([statSync(join(folder, `${headerAt(0).id}.ndjson`)).size]);
  });

  it(`keeps the newest ${keptRuns} runs, and leaves other files of the folder alone`, () => {
    const folder = folderOf({ 'note.txt': '', '19990101T000000000Z-xyz.ndjson': '' });
    for (let run = 0; run < keptRuns + 3; run++) writeJournal(folder, headerAt(run * 1000), runEnd({}));
    expect(readdirSync(folder)).toHaveLength(keptRuns + 2);
    expect(listRunIds(folder)).toHaveLength(keptRuns);
    expect(listRunIds(folder).at(-1)).toBe(headerAt(3000).id);
  });

  it('is not written to or read from a link, or a file with the name of its folder', async () => {
    const other = folderOf({});
    for (let run = 0; run < keptRuns; run++)
      writeFileSync(join(other, `${headerAt(run * 1000).id}.ndjson`), '');
    for (const place of [
      (path: string) => symlinkSync(other, path),
      (path: string) => symlinkSync(join(other, 'nowhere'), path),
      (path: string) => writeFileSync(path, ''),
    ]) {
      const folder = runsFolder(join(folderOf({}), stateFileName));
      place(folder);
      for (const work of [
        () => openJournal(folder, headerAt(99_000)),
        () => readRun(folder, headerAt(0).id),
        () => summarizeRuns(folder),
      ])
        expect(await problemIn((async () => work())())).toMatchObject({
          exitCode: 8,
          message: expect.stringContaining(folder) as string,
          hint: expect.stringContaining('Nothing was changed') as string,
        });
      // Also if the link is created after the run began.
      const fresh = runsFolder(join(folderOf({}), stateFileName));
      const file = openJournal(fresh, headerAt(99_000));
      place(fresh);
      expect((await problemIn((async () => file.append(runEnd({})))())).reason).toBe('invalid-input');
    }
    expect(readdirSync(other)).toHaveLength(keptRuns);
  });
});
