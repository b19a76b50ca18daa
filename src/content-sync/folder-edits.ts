import { Problem } from '../errors/problem.ts';
import { oidInside } from './write-folder.ts';

/** Files of a folder that are unchanged since they were written, and files that were edited or added. */
export interface FolderEdits {
  readonly unedited: readonly string[];
  readonly edited: readonly string[];
}

/** Compares files with the git ids that they had when they were last written (path → git id). Missing files are in neither list. */
export function editsIn(
  dir: string,
  paths: Iterable<string>,
  left: ReadonlyMap<string, string>,
): FolderEdits {
  const edits = { unedited: [] as string[], edited: [] as string[] };
  for (const path of [...paths].sort()) {
    const oid = oidOf(dir, path);
    if (oid === undefined) continue;
    edits[oid === left.get(path) ? 'unedited' : 'edited'].push(path);
  }
  return edits;
}

function oidOf(dir: string, path: string): string | undefined {
  try {
    return oidInside(dir, path);
  } catch (error) {
    // A link or folder in its place was not written by an export.
    if (error instanceof Problem && error.reason === 'guard-refused') return undefined;
    throw error;
  }
}
