import { StringDecoder } from 'node:string_decoder';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { describe, openInput, readText, unreadable } from './files.ts';
import type { Session } from './session.ts';

/** One record of a bulk file and where it stands; `problem` says why it could not be read. */
export interface Entry {
  readonly file: string;
  readonly line: number;
  readonly value: unknown;
  readonly problem?: string;
}

/** A record takes at most this many characters. */
const maxLine = 4 * 1024 * 1024;

/** Streams the records of an NDJSON file; JSON arrays and YAML documents are read whole. */
export async function* readRecords(session: Session, file: string): AsyncGenerator<Entry> {
  if (/\.ya?ml$/i.test(file)) return yield* yamlRecords(file, await readText(session, file, 64 * 1024 * 1024));
  if (/\.json$/i.test(file)) return yield* jsonRecords(file, await readText(session, file, 256 * 1024 * 1024));
  let line = 0;
  const lines = readLines(session, file);
  for await (const text of lines) {
    line++;
    if (line === 1 && !/^\s*(\{|$)/.test(text) && !/\.(ndjson|jsonl)$/i.test(file)) {
      // Without a name to go by, the first line tells: an array, or YAML.
      const rest = [text];
      for (let more = await lines.next(); more.done !== true; more = await lines.next()) rest.push(more.value);
      return yield* text.trimStart().startsWith('[') ? jsonRecords(file, rest.join('\n')) : yamlRecords(file, rest.join('\n'));
    }
    if (text.trim() !== '') yield parseLine(file, line, text);
  }
}

function parseLine(file: string, line: number, text: string): Entry {
  try {
    if (text.length > 4096) checkDepth(text, { depth: 64, nodes: 100_000 });
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { file, line, value };
    return { file, line, value, problem: 'is not an object' };
  } catch (error) {
    return { file, line, value: text.slice(0, 1000), problem: error instanceof Problem ? error.message : `is not valid JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

/** Ends early, as if the input did, when a signal stops the command: what was read is still sent and counted. */
async function* chunksOf(session: Session, file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of openInput(session, file)) yield chunk as Buffer;
  } catch (error) {
    if (!session.runtime.signal.aborted) throw unreadable(file, error);
  }
}

async function* readLines(session: Session, file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let first = true;
  for await (const chunk of chunksOf(session, file)) {
    let text = rest + decoder.write(chunk);
    if (first && text.length > 0) {
      if (text.startsWith('\ufeff')) text = text.slice(1);
      first = false;
    }
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      yield text.slice(from, at);
      from = at + 1;
    }
    rest = text.slice(from);
    if (rest.length > maxLine) throw new Problem('too-large', `${describe(file)} has a line of more than ${maxLine >> 20} MiB.`, { hint: 'Each line is one conversation.' });
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

async function* jsonRecords(file: string, text: string): AsyncGenerator<Entry> {
  checkDepth(text, { depth: 64, nodes: 20_000_000 });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid-input', `${describe(file)} is not valid JSON: ${(error as Error).message}.`);
  }
  const items = Array.isArray(value) ? value : [value];
  for (const [index, item] of items.entries()) yield { file, line: index + 1, value: item as unknown };
}

async function* yamlRecords(file: string, text: string): AsyncGenerator<Entry> {
  const { parseYaml } = await import('../richtext/yaml.ts');
  let line = 1;
  for (const part of text.split(/^---(?:\s.*)?$/m)) {
    if (part.trim() !== '') {
      const value = parseYaml(part, `${describe(file)} (document at line ${line})`);
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) yield { file, line, value: item };
    }
    line += part.split('\n').length - 1;
  }
}
