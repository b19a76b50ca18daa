import { createReadStream, openSync } from 'node:fs';
import { fstatSync, closeSync } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { Problem } from '../errors/problem.ts';
import { checkDepth } from '../contract/limits.ts';
import type { IngestHost } from '../ingest/reading.ts';
import type { Session } from './session.ts';
import { nameInput, unreadableFile } from '../files/unreadable-file.ts';

/** The largest body file or value that is read whole. */
const maxBytes = 16 * 1024 * 1024;

/** The text of a file, or of standard input for "-". */
export async function readText(
  session: Pick<Session, 'terminal' | 'runtime'>,
  path: string,
  limit = maxBytes,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of openInput(session, path)) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > limit)
        throw new Problem('too-large', `${nameInput(path)} is larger than ${limit >> 20} MiB.`);
      chunks.push(bytes);
    }
  } catch (error) {
    throw unreadableFile(path, error);
  }
  const text = decode(Buffer.concat(chunks), path);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A stream of a regular file or of standard input; a terminal is not waited for. */
export function openInput(
  { terminal, runtime }: Pick<Session, 'terminal' | 'runtime'>,
  path: string,
): AsyncIterable<unknown> {
  if (path === '-') {
    if (terminal.stdinIsTTY)
      throw new Problem('usage', 'Nothing was piped to standard input.', {
        hint: 'Pipe it in, or name a file instead of "-".',
      });
    return addAbortSignal(runtime.signal, terminal.stdin as Readable);
  }
  let descriptor: number;
  try {
    descriptor = openSync(resolve(runtime.cwd, path), 'r');
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (fstatSync(descriptor).isDirectory()) {
    closeSync(descriptor);
    throw new Problem('invalid-input', `${path} is a folder, not a file.`);
  }
  return createReadStream('', { fd: descriptor, highWaterMark: 64 * 1024, signal: runtime.signal });
}

/** A JSON or YAML file as a value, read under limits of size and depth. */
export async function readDocument(
  session: Pick<Session, 'terminal' | 'runtime'>,
  path: string,
): Promise<unknown> {
  const text = await readText(session, path);
  if (/^\s*[[{]/.test(text)) {
    checkDepth(text, { depth: 64, nodes: 1_000_000 });
    try {
      return JSON.parse(text);
    } catch (error) {
      if (path.endsWith('.json'))
        throw new Problem(
          'invalid-input',
          `${nameInput(path)} is not valid JSON: ${(error as Error).message}.`,
        );
    }
  }
  const { parseYaml } = await import('../richtext/yaml.ts');
  return parseYaml(text, nameInput(path));
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('invalid-input', `${nameInput(path)} is not UTF-8 text.`, {
      hint: 'Convert it to UTF-8 first.',
    });
  }
}

/** What an ingest takes from a session. */
export function ingestHost(session: Session): IngestHost {
  const { runtime, note } = session;
  return { signal: runtime.signal, note, openStdin: () => openInput(session, '-') };
}
