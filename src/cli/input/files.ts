import { closeSync, fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isProblem, Problem } from '../../errors/problem.ts';
import { checkDepth } from '../../contract/limits.ts';
import type { IngestHost } from '../../ingest/source-stream.ts';
import type { Session } from '../session/session.ts';
import { openReadable, streamOf } from '../../files/open-stream.ts';
import { nameInput, unreadableFile } from '../../files/unreadable-file.ts';
import { notText } from '../../ingest/utf8.ts';
import { describeJsonError } from './json-error.ts';

type Host = Pick<Session, 'terminal' | 'runtime'> & Partial<Pick<Session, 'settings'>>;

/** Reads a UTF-8 file, or standard input for "-", without its byte order mark. `limit` is in bytes, 16 MiB by default. */
export async function readText(session: Host, path: string, limit = 16 * 1024 * 1024): Promise<string> {
  return decode(await readBytes(session, path, limit, 'Split it into several files.'), path);
}

/** Reads a file, or standard input for "-". `limit` is in bytes. @throws Problem(too-large) with the hint */
export async function readBytes(session: Host, path: string, limit: number, hint: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of openInput(session, path)) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > limit)
        throw new Problem('too-large', `${nameInput(path)} is larger than ${limit >> 20} MiB.`, { hint });
      chunks.push(bytes);
    }
  } catch (error) {
    throw unreadableFile(path, error);
  }
  return Buffer.concat(chunks);
}

/** Maximum length of a line, in characters. */
const maxLine = 4 * 1024 * 1024;

/**
 * Yields the lines of a UTF-8 file of any size, or of standard input for "-".
 *
 * @throws Problem(invalid-input) if it cannot be read or is not UTF-8; Problem(too-large) for a line of over 4 MiB
 */
export async function* readLines(session: Host, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decodePart = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw notText(path, false);
    }
  };
  let rest = '';
  try {
    for await (const chunk of openInput(session, path)) {
      const lines = (rest + decodePart(chunk as Uint8Array)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLine)
        throw new Problem('too-large', `${nameInput(path)} has a line of over ${maxLine >> 20} MiB.`);
      yield* lines;
    }
  } catch (error) {
    throw unreadableFile(path, error);
  }
  yield rest + decodePart();
}

/** Standard inputs that were read, and are empty now. */
const openedInputs = new WeakSet<NodeJS.ReadableStream>();

/** Opens a file, or standard input for "-" unless that is a terminal. */
function openInput({ terminal, runtime, settings }: Host, path: string): AsyncIterable<unknown> {
  if (runtime.literalValues === true)
    throw new Problem('guard-refused', 'Files and standard input cannot be read here.', {
      hint: 'Give the value itself.',
    });
  if (path === '-') {
    // With --no-input, the session counts as not interactive, although standard input may be a terminal.
    if (runtime.terminal.stdinIsTTY)
      throw new Problem('usage', '"-" reads standard input, which is a terminal here.', {
        hint: 'Pipe something in, or give a file instead of "-".',
      });
    if (openedInputs.has(terminal.stdin) || settings?.token?.from === 'standard input')
      throw new Problem('usage', 'Standard input can be read only once, but "-" is given more than once.', {
        hint: 'Give "-" once, and files for the rest.',
      });
    openedInputs.add(terminal.stdin);
    return addAbortSignal(runtime.signal, terminal.stdin as Readable);
  }
  let descriptor: number;
  try {
    descriptor = openReadable(resolve(runtime.cwd, path));
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (fstatSync(descriptor).isDirectory()) {
    closeSync(descriptor);
    throw new Problem('invalid-input', `${path} is a folder, not a file.`, { hint: 'Give a file in it.' });
  }
  return streamOf(descriptor, runtime.signal);
}

/** Reads a JSON or YAML file of limited size and depth. */
export async function readDocument(session: Host, path: string): Promise<unknown> {
  const text = await readText(session, path);
  if (/^\s*[[{]/.test(text)) {
    checkDepth(text, { depth: 64, nodes: 1_000_000 });
    try {
      return JSON.parse(text);
    } catch (error) {
      // A file without the extension .json may be YAML, and YAML may start with a bracket.
      if (path.endsWith('.json'))
        throw new Problem('invalid-input', `${describeJsonError(nameInput(path), text, error)}.`);
    }
  }
  const { parseYaml } = await import('../../richtext/yaml.ts');
  return parseYaml(text, nameInput(path));
}

/**
 * Reads the file of --body. `textOption` is the option of the command for a text, and `command` its words.
 * @throws Problem(invalid-input) that explains --body if there is no such file
 */
export async function readBodyFile(
  session: Host,
  path: string,
  { command, textOption }: { command: string; textOption?: string | undefined },
): Promise<unknown> {
  try {
    return await readDocument(session, path);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (!isProblem(error, 'invalid-input') || (code !== 'ENOENT' && code !== 'ENAMETOOLONG')) throw error;
    const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path);
    const direct = /^\s*[[{]/.test(path)
      ? ` To give JSON without a file, pipe it in: \`echo '{…}' | docsctl ${command} --body -\`.`
      : textOption === undefined
        ? ''
        : ` To give the text itself, use --${textOption} TEXT.`;
    throw new Problem('invalid-input', `--body reads a file, but ${shown} does not exist.`, {
      hint: `Give a file that holds the body as JSON or YAML, or - for standard input.${direct}`,
      cause: error,
    });
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notText(path, false);
  }
}

/** Returns the parts of a session that an ingest needs. */
export function ingestHost(session: Session): IngestHost {
  const { runtime, note } = session;
  return { signal: runtime.signal, note, openStdin: () => openInput(session, '-') };
}

/**
 * Returns the words of a variadic argument. "-" is replaced by the lines of standard input. @throws Problem(usage) without lines
 */
export async function readArguments(session: Session, words: readonly string[]): Promise<string[]> {
  if (words.length !== 1 || words[0] !== '-') return [...words];
  const text = await readText(session, '-');
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0)
    throw new Problem('usage', 'Standard input is empty.', { hint: 'Pipe in IDs or names, one per line.' });
  return lines;
}
