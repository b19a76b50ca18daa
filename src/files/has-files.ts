import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder contains a file at any depth, apart from hidden ones outside of `.gitbook`. Does not follow links. */
export function hasFiles(dir: string): boolean {
  return readdirSync(dir, { withFileTypes: true }).some(
    (entry) =>
      (!entry.name.startsWith('.') || entry.name === '.gitbook') &&
      (entry.isFile() || (entry.isDirectory() && hasFiles(join(dir, entry.name)))),
  );
}
