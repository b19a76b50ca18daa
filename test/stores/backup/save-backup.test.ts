import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveBackup } from '../../../src/stores/backup/save-backup.ts';
import { temporaryFolder } from '../fixtures.ts';

test.each(['b.ndjson', 'b.ndjson.gz'])('an error of the store is not taken for one of %s', async (name) => {
  const folder = temporaryFolder();
  const error = Object.assign(new Error('The transaction was in conflict.'), { code: '40001' });
  const lines = (async function* () {
    yield 'a line\n';
    throw error;
  })();
  await expect(saveBackup(join(folder, name), lines, false)).rejects.toBe(error);
  expect(readdirSync(folder)).toEqual([]);
});
