import { Problem } from '../errors/problem.ts';
import { oidInside } from './write-folder.ts';

/** What of a folder is as it was left, and what somebody edited, or put there. */
export interface FolderEdits {
  readonly unedited: readonly string[];
  readonly edited: readonly string[];
}

/** Tells files of a folder apart by what they held when they were last written: path → git id. What is no file there any more is neither. */
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
    // A link, or a folder, in its place is somebody else's.
    if (error instanceof Problem && error.reason === 'guard-refused') return undefined;
    throw error;
  }
}
