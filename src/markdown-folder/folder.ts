import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { invalid, Problem } from '../errors/problem.ts';

/** Something about a folder that its owner should know; `line` is 0 where it is about the whole file. */
export interface Warning {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The files of a folder, as paths with "/" below it, and the one way to read them. */
export interface Folder {
  readonly paths: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
  read(path: string, maxBytes: number): Promise<Buffer>;
}

/** The most files that are looked at, and how deep their folders may lie. */
const maxFiles = 50_000;
const maxDepth = 32;
const skipped = new Set(['.git', 'node_modules']);

/** Lists a folder without following any symbolic link, so that nothing outside of it is ever read. */
export async function openFolder(dir: string): Promise<Folder> {
  const paths = new Set<string>();
  const warnings: Warning[] = [];
  const open: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await entriesOf(dir, next.path)) {
      const path = next.path === '' ? entry.name : `${next.path}/${entry.name}`;
      if (/[\p{Cc}\ufffd\\]/u.test(entry.name)) warnings.push({ file: path, line: 0, message: 'has a name that cannot be kept and is left out' });
      else if (entry.isSymbolicLink()) warnings.push({ file: path, line: 0, message: 'is a symbolic link and is left out' });
      else if (entry.isFile()) paths.add(path);
      else if (entry.isDirectory() && !skipped.has(entry.name)) {
        if (next.depth >= maxDepth) warnings.push({ file: path, line: 0, message: `lies more than ${maxDepth} folders deep and is left out` });
        else open.push({ path, depth: next.depth + 1 });
      }
      if (paths.size > maxFiles) throw new Problem('too-large', `The folder holds more than ${maxFiles} files.`, { hint: 'Name the folder of the documentation alone.' });
    }
  }
  return { paths: new Set([...paths].sort()), warnings, read: (path, maxBytes) => readInside(dir, paths, path, maxBytes) };
}

/** The path that a link in a file leads to, inside the folder; undefined where it leads out of it or to the web. */
export function resolveLink(from: string, link: string): string | undefined {
  const target = link.replace(/[?#].*$/s, '');
  if (target === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return undefined;
  let decoded = target;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    // A "%" that is meant as such.
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const path = decoded.startsWith('/') ? posix.normalize(decoded.slice(1)) : posix.normalize(posix.join(posix.dirname(from), decoded));
  return path.startsWith('..') || path.startsWith('/') ? undefined : path;
}

async function entriesOf(dir: string, path: string) {
  try {
    return await readdir(join(dir, path), { withFileTypes: true });
  } catch (error) {
    if (path !== '') throw new Problem('invalid-input', `The folder ${path} cannot be read.`, { cause: error });
    throw invalid('/folder', `There is no folder ${dir}, or it cannot be read.`, 'Give the folder that holds SUMMARY.md or .gitbook.yaml.');
  }
}

async function readInside(dir: string, paths: ReadonlySet<string>, path: string, maxBytes: number): Promise<Buffer> {
  if (!paths.has(path)) throw new Problem('not-found', `The folder has no file ${path}.`);
  // Not followed and looked at once more: the file may have been replaced since it was listed.
  const file = await open(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Problem('too-large', `The file ${path} has ${size} bytes; at most ${maxBytes} are taken.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
