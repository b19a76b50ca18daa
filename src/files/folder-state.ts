import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const skipped = new Set(['.git', 'node_modules']);

/**
 * Returns a text that differs when a file below a folder is added, removed, renamed or written: the paths of the files with
 * their sizes and times. A file may be given instead of a folder. Files that cannot be read count as absent, and symbolic
 * links are not followed.
 */
export async function readFolderState(path: string): Promise<string> {
  const lines: string[] = [];
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const at = folder;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
      lines.push(await lineOf(at));
      continue;
    }
    open.push(...entries.filter((e) => e.isDirectory() && !skipped.has(e.name)).map((e) => join(at, e.name)));
    lines.push(
      ...(await Promise.all(entries.filter((e) => e.isFile()).map((e) => lineOf(join(at, e.name))))),
    );
  }
  return lines.sort().join('\n');
}

async function lineOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? `${path} ${found.size} ${found.mtimeMs} ${found.ino}` : '';
}
