import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set(['.git', 'node_modules']);
/** Number of files between two pauses, in which other work runs. */
const filesPerTurn = 500;

/**
 * Returns a text that differs when a file below a folder is added, removed, renamed or written: the paths of the files with
 * their sizes and times. A file may be given instead of a folder. Files that cannot be read count as absent, and symbolic
 * links are not followed.
 */
export async function readFolderState(path: string): Promise<string> {
  const lines: string[] = [];
  const open = [path];
  let turn = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = entriesOf(folder);
    if (entries === undefined) {
      lines.push(lineOf(folder));
      continue;
    }
    for (const entry of entries) {
      if (entry.isDirectory() && !skipped.has(entry.name)) open.push(join(folder, entry.name));
      if (!entry.isFile()) continue;
      lines.push(lineOf(join(folder, entry.name)));
      // Many promises would take three times as long.
      if (++turn % filesPerTurn === 0) await new Promise(setImmediate);
    }
  }
  return lines.sort().join('\n');
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function lineOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? `${path} ${found.size} ${found.mtimeMs} ${found.ino}` : '';
  } catch {
    return '';
  }
}
