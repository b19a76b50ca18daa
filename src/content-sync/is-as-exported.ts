import { Problem } from '../errors/problem.ts';
import type { ExportedFile } from './plan-export.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import { planWrites } from './write-folder.ts';

/** Whether a folder contains exactly the files that an export would write, apart from files that an import ignores. */
export function isAsExported(path: string, folder: MarkdownFolder, files: readonly ExportedFile[]): boolean {
  const there = listOids(folder);
  const known = new Set(files.map((file) => file.path));
  if (
    [...there.keys()].some((each) => !known.has(each)) ||
    files.some((file) => there.has(file.path) && there.get(file.path) !== file.oid)
  )
    return false;
  // An export writes files that nothing links to, but an import skips them.
  const others = files.filter((file) => !there.has(file.path));
  try {
    return planWrites(path, others).same.length === others.length;
  } catch (error) {
    if (error instanceof Problem && error.reason === 'guard-refused') return false;
    throw error;
  }
}
