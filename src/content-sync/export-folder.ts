import { yieldToEvents } from '../contract/event-loop.ts';
import { readdirSync } from 'node:fs';
import { listSome, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { planWrites, hashFileInside, isEmptyFolder, removeInside, writeInside } from './write-folder.ts';
import { gitOid } from '../content/hashing.ts';

/** A file of an export with the git ID of its new content; empty if that is known only after writing. */
export interface PlannedFile {
  readonly path: string;
  readonly oid: string;
}

/** New, changed and unchanged files of an export. */
export interface FileWrites {
  readonly create: readonly PlannedFile[];
  readonly replace: readonly PlannedFile[];
  readonly same: readonly PlannedFile[];
}

export interface FolderChanges extends FileWrites {
  /** Files of the earlier export that are not written any more. */
  readonly remove: readonly string[];
  /** Files of the earlier export that were edited since. They are kept by default. */
  readonly kept: readonly string[];
  /** Files that would be replaced, although they were edited or not written by an export. */
  readonly edited: readonly string[];
  /** Other YAML files, which a manifest of this folder includes. */
  readonly others: readonly string[];
  /** Whether the folder contains files that no export wrote. */
  readonly isForeign: boolean;
}

/** Compares texts with the files of a folder. @throws Problem(guard-refused) at a symbolic link */
export function planTextWrites(dir: string | undefined, texts: ReadonlyMap<string, string>): FileWrites {
  return planWrites(
    dir,
    [...texts].map(([path, text]) => {
      const bytes = Buffer.from(text);
      return { path, oid: gitOid(bytes), content: { bytes } };
    }),
  );
}

/** Collects the changes of a folder. `lastWritten` has the git IDs of the files of an earlier export, by path. */
export function compareExport(
  dir: string | undefined,
  parts: readonly FileWrites[],
  lastWritten: ReadonlyMap<string, string> | undefined,
): FolderChanges {
  const writes = {
    create: parts.flatMap(({ create }) => create),
    replace: parts.flatMap(({ replace }) => replace),
    same: parts.flatMap(({ same }) => same),
  };
  if (dir === undefined) return { ...writes, remove: [], kept: [], edited: [], others: [], isForeign: false };
  const known = lastWritten ?? new Map<string, string>();
  const written = new Set(Object.values(writes).flatMap((files) => files.map(({ path }) => path)));
  const gone = findEdits(dir, [...known.keys()].filter((path) => !written.has(path)), known); // prettier-ignore
  const { edited } = findEdits(dir, writes.replace.map(({ path }) => path), known); // prettier-ignore
  const others = readdirSync(dir).filter(
    (name) => /^[^.].*\.ya?ml$/i.test(name) && !written.has(name) && !gone.unedited.includes(name),
  );
  const isExported =
    lastWritten !== undefined ||
    isEmptyFolder(dir) ||
    (writes.replace.length === 0 && writes.same.length > 0);
  return { ...writes, remove: gone.unedited, kept: gone.edited, edited, others, isForeign: !isExported };
}

/** Refuses to overwrite edited or foreign files. @throws Problem(guard-refused) */
export function checkExport(
  { isForeign, edited }: Pick<FolderChanges, 'isForeign' | 'edited'>,
  folder: string,
): void {
  if (isForeign)
    throw new Problem(
      'guard-refused',
      `The folder ${folder} has files that are not from an earlier export.`,
      { hint: 'Choose a new folder, or add --force to write into this one.' },
    );
  if (edited.length === 0) return;
  throw new Problem(
    'guard-refused',
    `${plural(edited.length, 'file')} in ${folder} would be replaced, but ${edited.length === 1 ? 'was' : 'were'} edited since the last export: ${listSome(edited, 20)}.`,
    {
      hint: `Nothing was written. Apply the edits first with \`docsctl apply -f ${folder}\`, export into another folder, or add --force to discard them.`,
    },
  );
}

export interface FileBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
}

interface WriteExportOptions {
  readonly changes: FolderChanges;
  /** The content of spaces. It is written first, so that no manifest names a missing folder. */
  readonly content: AsyncIterable<FileBytes>;
  readonly texts: ReadonlyMap<string, string>;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly signal: AbortSignal;
  /** Called right after each file was written. */
  readonly onWritten: (file: PlannedFile) => void;
}

/** Writes each file atomically, then deletes obsolete ones. @throws Problem(interrupted) between two files */
export async function writeExport(
  dir: string,
  { changes, content, texts, randomBytes, signal, onWritten }: WriteExportOptions,
): Promise<void> {
  const write = async ({ path, bytes }: FileBytes): Promise<void> => {
    await yieldToEvents(signal);
    writeInside(dir, path, bytes, randomBytes);
    onWritten({ path, oid: gitOid(bytes) });
  };
  for await (const file of content) await write(file);
  for (const { path } of [...changes.create, ...changes.replace]) {
    const text = texts.get(path);
    if (text !== undefined) await write({ path, bytes: Buffer.from(text) });
  }
  removeInside(dir, changes.remove);
}

/** Files that are unchanged since they were written, and files that were edited or added. */
export interface FolderEdits {
  readonly unedited: readonly string[];
  readonly edited: readonly string[];
}

/** Compares files with their git IDs, by path, in the last export. Missing files are in neither list. */
export function findEdits(
  dir: string,
  paths: Iterable<string>,
  lastWritten: ReadonlyMap<string, string>,
): FolderEdits {
  const edits = { unedited: [] as string[], edited: [] as string[] };
  for (const path of [...paths].sort()) {
    const oid = oidOf(dir, path);
    if (oid === undefined) continue;
    edits[oid === lastWritten.get(path) ? 'unedited' : 'edited'].push(path);
  }
  return edits;
}

function oidOf(dir: string, path: string): string | undefined {
  try {
    return hashFileInside(dir, path);
  } catch (error) {
    // An export does not write links, so a link or folder here is something else.
    if (error instanceof Problem && error.reason === 'guard-refused') return undefined;
    throw error;
  }
}
