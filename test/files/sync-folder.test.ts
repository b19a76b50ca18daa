import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { syncFolder } from '../../src/files/sync-folder.ts';

it('syncs a folder, and does nothing on Windows, which cannot sync folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-sync-'));
  syncFolder(folder);
  rmdirSync(folder);
  expect(() => syncFolder(folder, 'linux')).toThrow('ENOENT');
  syncFolder(folder, 'win32');
});
