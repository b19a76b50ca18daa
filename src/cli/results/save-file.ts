import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileAnswer } from '../../contract/file.ts';
import { whyUnwritable } from '../../files/unreadable-file.ts';
import type { Operation } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { printOutcome, type Session } from '../session/session.ts';
import type { SaveOptions } from '../input/fields.ts';

/** Calls an operation that returns a file, and saves the file. */
export async function saveAnswer(
  session: Session,
  operation: Operation,
  input: object,
  options: SaveOptions,
): Promise<void> {
  checkSave(session, options);
  const answer: unknown = await session.call(operation, input);
  await printSaved(session, answer as FileAnswer, await saveFile(session, answer as FileAnswer, options));
}

/** Prints the path of the written file in data formats. */
export async function printSaved(
  session: Session,
  { name, bytes }: FileAnswer,
  path: string | undefined,
): Promise<void> {
  if (path !== undefined) await printOutcome(session, { path, name, bytes: bytes.length }, 'path');
}

/** Checks the destination before the file is fetched. @throws Problem(usage), Problem(invalid-input), Problem(guard-refused) */
export function checkSave(session: Session, { out, force }: SaveOptions): void {
  if (isStandardOutput(out)) {
    if (!session.terminal.stdoutIsTTY) return;
    throw new Problem('usage', 'The answer is a file, and standard output is a terminal.', {
      hint: 'Save it with -O FILE, or with -O ./ under its own name; or pipe it into another program.',
    });
  }
  if (out === '') throw new Problem('usage', '-O names no file.');
  const path = resolve(session.runtime.cwd, out);
  if (isFolder(out, path)) {
    if (!existsSync(path))
      throw new Problem('invalid-input', `There is no folder ${out}.`, { hint: 'Create the folder first.' });
  } else checkFree(path, out, force === true);
}

/** Writes a file to standard output or to a path, without following a link at the path. Returns the path. */
export async function saveFile(
  session: Session,
  { name, bytes }: FileAnswer,
  { out, force = false }: SaveOptions,
): Promise<string | undefined> {
  if (isStandardOutput(out)) {
    await session.terminal.stdout.write(bytes);
    await session.terminal.stdout.flush();
    return undefined;
  }
  const given = isFolder(out, resolve(session.runtime.cwd, out)) ? join(out, safeFileName(name)) : out;
  const path = resolve(session.runtime.cwd, given);
  const isThere = checkFree(path, given, force);
  try {
    if (isThere) replaceFile(path, bytes, session.runtime.randomBytes);
    else create(path, bytes);
  } catch (error) {
    throw unwritable(given, error);
  }
  session.note(`wrote ${given} (${bytes.length} bytes)`);
  return given;
}

/** Maximum number of files that a dry run lists. */
const maxNoted = 30;

/** Notes the effects on files: `would write a.md`. If there are many, the others are counted. */
export function noteFiles({ note }: Session, what: string, paths: readonly string[]): void {
  for (const path of paths.slice(0, maxNoted)) note(`${what} ${path}`);
  if (paths.length > maxNoted) note(`${what} ${paths.length - maxNoted} more files`);
}

function isStandardOutput(out: string | undefined): out is undefined | '-' {
  return out === undefined || out === '-';
}

function isFolder(out: string, path: string): boolean {
  return /[/\\]$/.test(out) || lookAt(statSync, path, out)?.isDirectory() === true;
}

/**
 * Returns whether an existing regular file will be replaced. `hint` replaces the hint about -O.
 * @throws Problem(guard-refused) without --force, and for links, devices and folders
 */
export function checkFree(path: string, given: string, force: boolean, hint?: string): boolean {
  const found = lookAt(lstatSync, path, given);
  if (found === undefined) return false;
  if (!found.isFile())
    throw new Problem('guard-refused', `${given} exists and is not a regular file.`, {
      hint: hint ?? 'Choose another path with -O.',
    });
  if (!force) throw fileExists(given, hint);
  return true;
}

function lookAt(stat: typeof lstatSync, path: string, given: string): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unwritable(given, error);
  }
}

/** Creates a file. If writing fails, it is removed. */
function create(path: string, bytes: Uint8Array, mode?: number): void {
  // "wx" fails if a link was created there in the meantime.
  const descriptor = openSync(path, 'wx', mode);
  try {
    writeFileSync(descriptor, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Creates or replaces a file atomically, so that it is always complete. */
export function replaceFile(
  path: string,
  bytes: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
  mode?: number,
): void {
  const temporary = join(dirname(path), `.docsctl-${Buffer.from(randomBytes(6)).toString('hex')}.tmp`);
  create(temporary, bytes, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function unwritable(given: string, error: unknown): Problem {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') return fileExists(given, undefined, error);
  return new Problem(
    'invalid-input',
    `The file ${given} cannot be written: ${whyUnwritable(given, error)}.`,
    {
      hint: 'Choose another path.',
      cause: error,
    },
  );
}

function fileExists(given: string, hint?: string, cause?: unknown): Problem {
  return new Problem('guard-refused', `The file ${given} already exists.`, {
    hint: hint ?? 'Add --force to replace it, or name another file with -O.',
    cause,
  });
}

/** Maximum length of a file name in file systems, in bytes. */
const maxNameBytes = 255;
/** Invisible and reordering characters, and characters that are not allowed in paths or on Windows. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/** Converts a foreign name to a safe file name: no path, not hidden, no control characters, at most 255 bytes. */
export function safeFileName(name: string): string {
  const visible = name
    .replace(/^.*[/\\]/s, '')
    .replace(unsafe, '_')
    .trim()
    .replace(/^[.-]+/, '_')
    .replace(/[. ]+$/, '');
  if (/^_*$/.test(visible)) return 'file';
  return shorten(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(visible) ? `_${visible}` : visible);
}

/** Cuts a name to the maximum length, but keeps its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  let kept = '';
  let size = ending.length;
  for (const character of name.slice(0, name.length - ending.length)) {
    size += Buffer.byteLength(character);
    if (size > maxNameBytes) break;
    kept += character;
  }
  return kept + ending;
}
