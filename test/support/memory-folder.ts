import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Several times the maximum size that tests need, in bytes. */
const enough = 2 * 2 ** 30;

/**
 * Creates a folder in memory for temporary files of tests, because each fsync of a store on disk is slow, and removes it when
 * this process ends. Returns undefined if the system has no such folder that is large enough and can run programs.
 */
export function createMemoryFolder(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < enough) return undefined;
    folder = mkdtempSync('/dev/shm/docsctl-tests-');
    // A database server of the tests runs as a different user.
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
