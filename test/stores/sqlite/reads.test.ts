import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteFile } from '../../../src/stores/sqlite/file.ts';
import { SqliteReads } from '../../../src/stores/sqlite/reads.ts';

it('the reads of a SQLite file close only if all of them end in time, and continue otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-reads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.db');
  writeFileSync(path, '');
  const file = new SqliteFile(path, new Map(), 1000);
  const database = await file.connect();
  await file.layOut(database);
  database.close();
  const reads = new SqliteReads(file, () => undefined);
  let end = (): void => {};
  const slow = new Promise<void>((resolve) => (end = resolve));
  const reading = new Promise<void>((begin) => {
    void reads.read(() => (begin(), slow));
  });
  await reading;
  expect(await reads.close(0)).toBe(false);
  expect(await reads.read(() => Promise.resolve('read'))).toBe('read');
  end();
  expect(await reads.close(60_000)).toBe(true);
  await expect(reads.read(() => Promise.resolve())).rejects.toThrow('closed');
});
