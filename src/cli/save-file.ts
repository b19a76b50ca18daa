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
import { basename, dirname, join, resolve } from 'node:path';
import type { FileAnswer } from '../contract/file.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { Session } from './session.ts';
import type { SaveOptions } from './fields.ts';

/** Calls an operation that answers with a file, and puts the file where the command was told to. */
export async function saveAnswer(
  session: Session,
  operation: Operation,
  input: object,
  options: SaveOptions,
): Promise<void> {
  checkSave(session, options);
  const api = await session.api();
  const answer: unknown = await api.call(operation, input, { signal: session.runtime.signal });
  await saveFile(session, answer as FileAnswer, options);
}

/** Refuses what cannot end well before the file is asked for. */
export function checkSave(session: Session, { out, force }: SaveOptions): void {
  if (isStandardOutput(out)) {
    if (!session.terminal.stdoutIsTTY) return;
    throw new Problem('usage', 'The answer is a file, which is not for a terminal.', {
      hint: 'Save it with -O FILE, or with -O ./ under its own name; or pipe it on.',
    });
  }
  if (out === '') throw new Problem('usage', '-O names no file.');
  const path = resolve(session.runtime.cwd, out);
  if (isFolder(out, path)) {
    if (!existsSync(path))
      throw new Problem('invalid-input', `There is no folder ${out}.`, { hint: 'Make it first.' });
  } else checkFree(path, out, force === true);
}

/** Writes a file to standard output or to a path; a link at the path is not followed. */
export async function saveFile(
  session: Session,
  { name, bytes }: FileAnswer,
  { out, force = false }: SaveOptions,
): Promise<void> {
  if (isStandardOutput(out)) {
    await session.terminal.stdout.write(bytes);
    return session.terminal.stdout.flush();
  }
  const given = isFolder(out, resolve(session.runtime.cwd, out)) ? join(out, safeFileName(name)) : out;
  const path = resolve(session.runtime.cwd, given);
  const isThere = checkFree(path, given, force);
  try {
    if (isThere) replace(path, bytes, session.runtime.randomBytes);
    else make(path, bytes);
  } catch (error) {
    throw unwritable(given, error);
  }
  session.note(`wrote ${given} (${bytes.length} bytes)`);
}

function isStandardOutput(out: string | undefined): out is undefined | '-' {
  return out === undefined || out === '-';
}

function isFolder(out: string, path: string): boolean {
  return /[/\\]$/.test(out) || lookAt(statSync, path, out)?.isDirectory() === true;
}

/** Whether an ordinary file is there that may be replaced; refuses to write over anything else, be it a link, a device or a folder. */
function checkFree(path: string, given: string, force: boolean): boolean {
  const found = lookAt(lstatSync, path, given);
  if (found === undefined) return false;
  if (!found.isFile())
    throw new Problem('guard-refused', `${given} is there, and is no ordinary file.`, {
      hint: 'Name another with -O.',
    });
  if (!force)
    throw new Problem('guard-refused', `The file ${given} is there already.`, {
      hint: 'Add --force to replace it, or name another with -O.',
    });
  return true;
}

function lookAt(look: typeof lstatSync, path: string, given: string): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unwritable(given, error);
  }
}

/** Makes a new file; half of one is not left behind. */
function make(path: string, bytes: Uint8Array): void {
  // "wx" makes or fails: a link put there meanwhile is not followed either.
  const descriptor = openSync(path, 'wx');
  try {
    writeFileSync(descriptor, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a new file in the place of another in one step, so that there is always a whole one. */
function replace(path: string, bytes: Uint8Array, randomBytes: (count: number) => Uint8Array): void {
  const beside = join(dirname(path), `.docsctl-${Buffer.from(randomBytes(6)).toString('hex')}.tmp`);
  make(beside, bytes);
  try {
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function unwritable(given: string, error: unknown): Problem {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new Problem('guard-refused', `The file ${given} is there already.`, {
      hint: 'Add --force to replace it, or name another with -O.',
      cause: error,
    });
  const why =
    code === 'ENOENT'
      ? `there is no folder ${dirname(given)}`
      : code === 'EACCES' || code === 'EPERM'
        ? 'its folder may not be written to'
        : code;
  return new Problem('invalid-input', `The file ${basename(given)} cannot be written: ${why}.`, {
    hint: 'Name another with -O.',
    cause: error,
  });
}

export const longest = 255;

/** What is invisible or reorders a line, what a path is made of, and what Windows does not take. */
export const unsafe = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/** A name that somebody else gave, as one that a file may have in any folder: no path, no hidden file, nothing a terminal obeys. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!.replace(unsafe, '_').trim();
  const visible = last.replace(/^[.-]+/, '_').replace(/[. ]+$/, '');
  if (/^_*$/.test(visible)) return 'file';
  return shorten(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(visible) ? `_${visible}` : visible);
}

/** Cuts a name to the bytes that file systems take, keeping its ending. */
export function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  let kept = '';
  let size = ending.length;
  for (const character of name.slice(0, name.length - ending.length)) {
    size += Buffer.byteLength(character);
    if (size > longest) break;
    kept += character;
  }
  return kept + ending;
}
