import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { platform } from 'node:os';

/**
 * Makes renames and new links in a folder durable. Windows cannot sync folders, but its renames are durable.
 *
 * @param system - the operating system, as `platform()` names it
 */
export function syncFolder(path: string, system: string = platform()): void {
  if (system === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
