import { readdirSync } from 'node:fs';
import { Problem } from '../../errors/problem.ts';
import { editsIn } from '../../markdown-folder/folder-edits.ts';
import type { ExportedFile } from '../../markdown-folder/plan-export.ts';
import { compareFolder, isEmptyFolder, removeInside, writeInside } from '../../markdown-folder/write-folder.ts';
import { gitOid } from '../../resources/content/hashing.ts';

/** What an export does to a folder. */
export interface FolderChanges {
  readonly create: readonly ExportedFile[];
  readonly replace: readonly ExportedFile[];
  readonly same: readonly ExportedFile[];
  /** Files of the earlier export that are not written any more. */
  readonly remove: readonly string[];
  /** The same, but edited since: they stay, unless they are not spared. */
  readonly kept: readonly string[];
  /** Files that would be lost: edited since they were written, or never written by an export. */
  readonly edited: readonly string[];
  /** Other YAML that a manifest of this folder takes in as well. */
  readonly others: readonly string[];
  /** Whether the folder holds something that no export wrote. */
  readonly isForeign: boolean;
}

/** Compares texts with a folder; `left` is what an earlier export wrote there: path → git id. Refuses links. */
export function compareExport(dir: string | undefined, texts: ReadonlyMap<string, string>, left: ReadonlyMap<string, string> | undefined): FolderChanges {
  const files = [...texts].map(([path, text]): ExportedFile => {
    const bytes = Buffer.from(text);
    return { path, oid: gitOid(bytes), content: { bytes } };
  });
  const writes = compareFolder(dir, files);
  if (dir === undefined) return { ...writes, remove: [], kept: [], edited: [], others: [], isForeign: false };
  const known = left ?? new Map<string, string>();
  const gone = editsIn(dir, [...known.keys()].filter((path) => !texts.has(path)), known); // prettier-ignore
  const { edited } = editsIn(dir, writes.replace.map(({ path }) => path), known); // prettier-ignore
  const others = readdirSync(dir).filter((name) => /^[^.].*\.ya?ml$/i.test(name) && !texts.has(name) && !gone.unedited.includes(name));
  const isOurs = left !== undefined || isEmptyFolder(dir) || (writes.replace.length === 0 && writes.same.length > 0);
  return { ...writes, remove: gone.unedited, kept: gone.edited, edited, others, isForeign: !isOurs };
}

/** Refuses what would lose the work of somebody. */
export function checkExport({ isForeign, edited }: FolderChanges, folder: string): void {
  if (isForeign)
    throw new Problem('guard-refused', `The folder ${folder} holds something else than an earlier export.`, { hint: 'Name a new folder, or add --force to write into this one.' });
  if (edited.length === 0) return;
  throw new Problem(
    'guard-refused',
    `${edited.length === 1 ? '1 file' : `${edited.length} files`} in ${folder} would be replaced, edited since the last export: ${edited.slice(0, 20).join(', ')}.`,
    {
      hint: `Nothing was written. Apply the edits first (docsctl apply -f ${folder}), export into another folder, or add --force to lose them.`,
    },
  );
}

/** Writes each file in one step, then takes away those that are no more. */
export function writeExport(dir: string, { create, replace, remove }: FolderChanges, randomBytes: (count: number) => Uint8Array): void {
  for (const { path, content } of [...create, ...replace]) if ('bytes' in content) writeInside(dir, path, content.bytes, randomBytes);
  removeInside(dir, remove);
}
