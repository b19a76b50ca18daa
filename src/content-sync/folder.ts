import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sizeText } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { WarningRule } from './warning-rules.ts';

/** A message about a file; `line` is 0 for the whole file. */
export interface FileMessage {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A warning about a file of a folder. */
export interface Warning extends FileMessage {
  readonly rule: WarningRule;
}

/** The files of a folder as relative paths with "/", and functions to read them. */
export interface Folder {
  readonly paths: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
  read(path: string, maxBytes: number): Buffer;
}

const maxFiles = 50_000;
const maxDepth = 32;
const skipped = new Set(['.git', 'node_modules']);

/**
 * Lists a folder without following symbolic links, so that nothing outside of it is read.
 * @throws Problem(invalid-input), Problem(too-large) above 50,000 files
 */
export async function openFolder(dir: string): Promise<Folder> {
  const paths = new Set<string>();
  const warnings: Warning[] = [];
  const open: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await listEntries(dir, next.path)) {
      const path = next.path === '' ? entry.name : `${next.path}/${entry.name}`;
      const warn = (message: string) => warnings.push({ file: path, line: 0, rule: 'skipped-file', message });
      if (/[\p{Cc}\ufffd\\]/u.test(entry.name) || path.length > 1024)
        warn('has a name that cannot be stored and is skipped');
      else if (entry.isSymbolicLink()) warn('is a symbolic link and is skipped');
      else if (entry.isFile()) paths.add(path);
      else if (!entry.isDirectory()) warn('is neither a file nor a folder and is skipped');
      else if (!skipped.has(entry.name)) {
        if (next.depth >= maxDepth) warn(`is more than ${maxDepth} folders deep and is skipped`);
        else open.push({ path, depth: next.depth + 1 });
      }
      if (paths.size > maxFiles)
        throw new Problem('too-large', `The folder has more than ${maxFiles} files.`, {
          hint: 'Name the folder that holds only the documentation.',
        });
    }
  }
  return {
    paths: new Set([...paths].sort()),
    warnings,
    read: (path, maxBytes) => readListed(dir, paths, path, maxBytes),
  };
}

async function listEntries(dir: string, path: string) {
  try {
    return await readdir(join(dir, path), { withFileTypes: true });
  } catch (error) {
    if (path !== '')
      throw new Problem('invalid-input', `The folder ${path} cannot be read.`, { cause: error });
    const { code } = error as NodeJS.ErrnoException;
    const what =
      code === 'ENOENT'
        ? `There is no folder ${dir}.`
        : code === 'ENOTDIR'
          ? `${dir} is not a folder.`
          : `The folder ${dir} cannot be read.`;
    throw new Problem('invalid-input', what, {
      hint: 'Check the path. Give a folder of Markdown files, not a single file or an archive.',
      cause: error,
    });
  }
}

function readListed(dir: string, paths: ReadonlySet<string>, path: string, maxBytes: number): Buffer {
  if (!paths.has(path)) throw new Problem('not-found', `The folder has no file ${path}.`);
  const tooLarge = (size: number) =>
    new Problem(
      'too-large',
      `The file ${path} is ${sizeText(size, maxBytes)}; the limit is ${sizeText(maxBytes)}.`,
    );
  try {
    // The file may have been replaced since it was listed.
    const file = openSync(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      if (!found.isFile()) throw new Problem('invalid-input', `${path} is not a regular file.`);
      if (found.size > maxBytes) throw tooLarge(found.size);
      const bytes = Buffer.allocUnsafe(found.size + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null);
      if (length > found.size)
        throw new Problem('conflict', `The file ${path} grew while it was read.`, {
          hint: 'Try again when nothing writes to the folder.',
        });
      return bytes.subarray(0, length);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      'invalid-input',
      `The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
}
