import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { gitOid } from '../content/hashing.ts';
import type { ExportedFile } from './plan-export.ts';

/** What writing a folder does: files that are new, that hold something else now, and that are as they should be. */
export interface WritePlan {
  readonly create: readonly ExportedFile[];
  readonly replace: readonly ExportedFile[];
  readonly same: readonly ExportedFile[];
}

/** The folder itself, following links to it; undefined where there is none yet. */
export function findFolder(dir: string): string | undefined {
  const found = lookAt(dir, dir, true);
  if (found === undefined) return undefined;
  if (!found.isDirectory())
    throw new Problem('guard-refused', `${dir} is there, and is no folder.`, {
      hint: 'Name another folder.',
    });
  return realpathSync(dir);
}

/** Whether a folder holds anything but the history that git keeps in it. */
export function isEmptyFolder(dir: string): boolean {
  return readdirSync(dir).every((name) => name === '.git');
}

/** Files that the space has no git id of, and that may be there already, with their bytes, so that they can be compared. */
export async function withOids(
  dir: string | undefined,
  files: readonly ExportedFile[],
  download: (fileId: string) => Promise<Uint8Array>,
): Promise<ExportedFile[]> {
  const known: ExportedFile[] = [];
  for (const file of files) {
    if (
      file.oid !== '' ||
      'bytes' in file.content ||
      dir === undefined ||
      checkPlace(dir, file.path) === undefined
    )
      known.push(file);
    else {
      const bytes = Buffer.from(await download(file.content.fileId));
      known.push({ path: file.path, oid: gitOid(bytes), content: { bytes } });
    }
  }
  return known;
}

/** Compares what is to be written with what is there. Refuses links and whatever else is no ordinary file or folder. */
export function compareFolder(dir: string | undefined, files: readonly ExportedFile[]): WritePlan {
  const plan = { create: [] as ExportedFile[], replace: [] as ExportedFile[], same: [] as ExportedFile[] };
  for (const file of files) {
    const found = dir === undefined ? undefined : checkPlace(dir, file.path);
    const kind = found === undefined ? 'create' : isSame(dir!, file, found) ? 'same' : 'replace';
    plan[kind].push(file);
  }
  return plan;
}

/** Git id of the ordinary file at a path, "" of one that is too large to be ours; undefined where there is none. */
export function oidInside(dir: string, path: string): string | undefined {
  return checkPlace(dir, path) === undefined ? undefined : (oidOf(dir, path) ?? '');
}

/** Writes one file in one step, so that there is always a whole one; a link at its place is not followed. */
export function writeInside(
  dir: string,
  path: string,
  bytes: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): void {
  try {
    checkPlace(dir, path);
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    // Looked at again: making folders follows links that were put there meanwhile.
    checkPlace(dir, path);
    const beside = join(dir, dirname(path), `.docsctl-${Buffer.from(randomBytes(9)).toString('hex')}.tmp`);
    try {
      writeNew(beside, bytes);
      renameSync(beside, join(dir, path));
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Deletes files, and folders that they leave empty. */
export function removeInside(dir: string, paths: readonly string[]): void {
  for (const path of paths) {
    if (checkPlace(dir, path) === undefined) continue;
    rmSync(join(dir, path));
    for (
      let folder = posix.dirname(path);
      folder !== '.' && readdirSync(join(dir, folder)).length === 0;
      folder = posix.dirname(folder)
    )
      rmdirSync(join(dir, folder));
  }
}

/** The ordinary file at a path, if there is one. Every folder on the way must be a folder, not a link to one. */
function checkPlace(dir: string, path: string): Stats | undefined {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    const found = lookAt(join(dir, part), part, false);
    if (found === undefined) return undefined;
    const isRight = count < parts.length ? found.isDirectory() : found.isFile();
    if (isRight && count === parts.length) return found;
    if (!isRight) {
      const what = found.isSymbolicLink()
        ? 'a symbolic link'
        : count < parts.length
          ? 'no folder'
          : 'no ordinary file';
      throw new Problem('guard-refused', `${part} is there, and is ${what}.`, {
        hint: 'Move it away, or export into another folder.',
      });
    }
  }
  return undefined;
}

function isSame(dir: string, { path, oid, content }: ExportedFile, found: Stats): boolean {
  return 'bytes' in content && found.size !== content.bytes.length ? false : oidOf(dir, path) === oid;
}

function oidOf(dir: string, path: string): string | undefined {
  const file = open(dir, path);
  try {
    return fstatSync(file).size > 64 * 1024 * 1024 ? undefined : gitOid(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function open(dir: string, path: string): number {
  try {
    return openSync(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new Problem(
      'invalid-input',
      `${path} is there, and cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  const file = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o666,
  );
  try {
    writeFileSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function lookAt(path: string, name: string, follow: boolean): Stats | undefined {
  try {
    return follow ? lstatSync(realpathSync(path)) : lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unwritable(name, error);
  }
}

function unwritable(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const why =
    code === 'EACCES' || code === 'EPERM'
      ? 'its folder may not be written to'
      : code === 'ENOSPC'
        ? 'the disk is full'
        : code;
  return new Problem('invalid-input', `${path} cannot be written: ${why}.`, {
    hint: 'What was written before it stays; export again when it can be.',
    cause: error,
  });
}
