import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tests need at most, several times over, in bytes. */
const enough = 2 * 2 ** 30;

/**
 * Makes a folder in memory for the temporary files of tests, where each fsync of a store would wait for the disk, and removes
 * it when this process ends. Undefined where the system has none that is large enough and lets programs run.
 */
export function createMemoryFolder(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < enough) return undefined;
    folder = mkdtempSync('/dev/shm/docsctl-tests-');
    // A database server of the tests runs as another user.
    chmodSync(folder, 0o711);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const made = folder;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
