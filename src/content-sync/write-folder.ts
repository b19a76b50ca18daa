import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
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
import { makeFolders } from '../files/make-folders.ts';
import { Problem } from '../errors/problem.ts';
import { gitOid } from '../content/hashing.ts';
import { maxPageBytes } from './page-reader.ts';
import type { ExportedFile } from './plan-export.ts';

/** The new, changed and unchanged files of an export. */
export interface WritePlan {
  readonly create: readonly ExportedFile[];
  readonly replace: readonly ExportedFile[];
  readonly same: readonly ExportedFile[];
}

/**
 * Returns the real path of a folder, following links to it; undefined if it does not exist.
 * @throws Problem(guard-refused) if it is not a folder
 */
export function findFolder(dir: string): string | undefined {
  const found = statIfPresent(dir, dir, true);
  if (found === undefined) return undefined;
  if (!found.isDirectory())
    throw new Problem('guard-refused', `${dir} exists and is not a folder.`, {
      hint: 'Choose another folder.',
    });
  return realpathSync(dir);
}

/** Whether a folder is empty. */
export function isEmptyFolder(dir: string): boolean {
  return readdirSync(dir).every((name) => name === '.git');
}

/** Downloads files without a git id that exist in the folder, so that they can be compared. */
export async function hashUnknownFiles(
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
      findRegularFile(dir, file.path) === undefined
    )
      known.push(file);
    else {
      const bytes = Buffer.from(await download(file.content.fileId));
      known.push({ path: file.path, oid: gitOid(bytes), content: { bytes } });
    }
  }
  return known;
}

/**
 * Compares the files to write with a folder.
 * @throws Problem(guard-refused) at a link or anything else that is neither a regular file nor a folder
 */
export function planWrites(dir: string | undefined, files: readonly ExportedFile[]): WritePlan {
  const plan = { create: [] as ExportedFile[], replace: [] as ExportedFile[], same: [] as ExportedFile[] };
  for (const file of files) {
    plan[dir === undefined ? 'create' : compareFile(dir, file)].push(file);
  }
  return plan;
}

function compareFile(dir: string, file: ExportedFile): keyof WritePlan {
  const found = findRegularFile(dir, file.path);
  return found === undefined ? 'create' : isSame(dir, file, found) ? 'same' : 'replace';
}

/**
 * Returns the git ID of the regular file at a path; an empty text if it is too large for an exported file; undefined if there is
 * none.
 */
export function hashFileInside(dir: string, path: string): string | undefined {
  return findRegularFile(dir, path) === undefined ? undefined : (hashFile(dir, path) ?? '');
}

/** Returns a function that reads the text of a regular file that is not too large for a page. Other files count as missing. */
export function readerOf(dir: string | undefined): (path: string) => string | undefined {
  return (path) => {
    try {
      const { size = Infinity } = dir === undefined ? {} : (findRegularFile(dir, path) ?? {});
      return dir === undefined || size > maxPageBytes ? undefined : readFileSync(join(dir, path), 'utf8');
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };
}

/** Replaces one file atomically. Does not follow a link at its path. */
export function writeInside(
  dir: string,
  path: string,
  bytes: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): void {
  try {
    findRegularFile(dir, path);
    makeFolders(join(dir, dirname(path)));
    // Checked again, because `makeFolders` follows links that were created in the meantime.
    findRegularFile(dir, path);
    const beside = join(dir, dirname(path), `.docsctl-${Buffer.from(randomBytes(9)).toString('hex')}.tmp`);
    try {
      writeNew(beside, bytes);
      renameSync(beside, join(dir, path));
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw writeProblem(path, error);
  }
}

/** Deletes files and the folders that become empty. */
export function removeInside(dir: string, paths: readonly string[]): void {
  for (const path of paths) {
    if (findRegularFile(dir, path) === undefined) continue;
    rmSync(join(dir, path));
    for (
      let folder = posix.dirname(path);
      folder !== '.' && readdirSync(join(dir, folder)).length === 0;
      folder = posix.dirname(folder)
    )
      rmdirSync(join(dir, folder));
  }
}

/**
 * Returns the regular file at a path, if there is one.
 * @throws Problem(guard-refused) if a part of the path is a link or of another type
 */
function findRegularFile(dir: string, path: string): Stats | undefined {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    const found = statIfPresent(join(dir, part), part, false);
    if (found === undefined) return undefined;
    const isRight = count < parts.length ? found.isDirectory() : found.isFile();
    if (isRight && count === parts.length) return found;
    if (!isRight) {
      const what = found.isSymbolicLink()
        ? 'a symbolic link'
        : count < parts.length
          ? 'not a folder'
          : 'not a regular file';
      throw new Problem('guard-refused', `${part} exists and is ${what}.`, {
        hint: 'Move it away, or export into another folder.',
      });
    }
  }
  return undefined;
}

function isSame(dir: string, { path, oid, content }: ExportedFile, found: Stats): boolean {
  return 'bytes' in content && found.size !== content.bytes.length ? false : hashFile(dir, path) === oid;
}

function hashFile(dir: string, path: string): string | undefined {
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
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
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

function statIfPresent(path: string, name: string, follow: boolean): Stats | undefined {
  try {
    return follow ? lstatSync(realpathSync(path)) : lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw writeProblem(name, error);
  }
}

function writeProblem(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const why =
    code === 'EACCES' || code === 'EPERM'
      ? 'its folder is not writable'
      : code === 'ENOSPC'
        ? 'the disk is full'
        : code;
  return new Problem('invalid-input', `${path} cannot be written: ${why}.`, {
    hint: 'Files written before it are kept. Correct this and export again.',
    cause: error,
  });
}
