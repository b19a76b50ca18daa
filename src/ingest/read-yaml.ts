import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, maxRecordText, type SourceRecord } from './source-record.ts';
import { checkUtf8 } from './utf8.ts';
import { listKeys } from './json-items.ts';
import { formOf } from './record-forms.ts';
import { isRecord } from '../contract/values.ts';

/**
 * Yields the conversations of YAML, one document at a time. A document is a conversation, a list of them, or a map with a
 * list under one of the `listKeys`.
 *
 * @throws Problem(invalid-input) for invalid YAML; Problem(too-large) for a document above `maxRecordBytes`
 */
export async function* readYaml(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<SourceRecord[]> {
  const { parseLocatedYaml } = await import('../richtext/yaml.ts');
  const shown = file === '-' ? 'Standard input' : file;
  for await (const { text, line, textLine, to } of splitDocuments(checkUtf8(chunks, file), shown)) {
    if (text.trim() === '') continue;
    const { value: content, lineOf } = parseLocatedYaml(text, `${shown} (document at line ${line})`);
    const { items, path } = listItems(content);
    const lines = items.map((_, index) => {
      const itemLine = path === undefined ? undefined : lineOf([...path, index]);
      return itemLine === undefined ? line : textLine + itemLine - 1;
    });
    yield items.map((value, index): SourceRecord => ({
      file,
      line,
      ...(path === undefined ? {} : { itemLine: lines[index] }),
      ...(lines[index] === lines[index - 1] || lines[index] === lines[index + 1]
        ? { number: index + 1 }
        : {}),
      value,
      end: to,
      ...(index < items.length - 1 ? { hasMore: true } : {}),
      ...(isRecord(value) ? {} : { problem: 'the record is not an object' }),
    }));
  }
}

/** The conversations of a document, and the path of their list if they are in one. */
function listItems(value: unknown): { items: readonly unknown[]; path?: readonly string[] } {
  if (Array.isArray(value)) return { items: value, path: [] };
  if (isRecord(value) && formOf(value) === undefined)
    for (const key of listKeys) if (Array.isArray(value[key])) return { items: value[key], path: [key] };
  return { items: value === null ? [] : [value] };
}

interface Document {
  readonly text: string;
  readonly line: number;
  /** The line in which its text begins, which comes after a comment beside "---". */
  readonly textLine: number;
  /** The end of the document in the file, in bytes. */
  readonly to: number;
}

async function* splitDocuments(chunks: AsyncIterable<Buffer>, shown: string): AsyncGenerator<Document> {
  let lines: Buffer[] = [];
  let size = 0;
  let position = 0;
  let line = 1;
  let firstLine = 1;
  let textLine = 1;
  const take = (): Document => {
    const text = Buffer.concat(lines)
      .toString('utf8')
      .replace(/^\ufeff/, '');
    return { text, line: firstLine, textLine, to: position };
  };
  for await (const bytes of splitLines(chunks, shown)) {
    const start = bytes.toString('latin1', 0, 4);
    if (/^---(?:[ \t\r\n]|$)/.test(start) || /^\.\.\.[\r\n]/.test(start)) {
      yield take();
      // Text after "---" belongs to the document. The dashes become spaces, so that columns in errors are right.
      const own = bytes.toString('utf8').slice(3);
      [lines, size, firstLine] = [
        own.trim() === '' || own.trim().startsWith('#') ? [] : [Buffer.from(`   ${own}`)],
        0,
        line + (own.trim() === '' ? 1 : 0),
      ];
      textLine = lines.length === 0 ? line + 1 : line;
    } else {
      lines.push(bytes);
      size += bytes.length;
      if (size > maxRecordBytes)
        throw new Problem(
          'too-large',
          `${shown} has a YAML document of more than ${maxRecordText} (at line ${firstLine}).`,
          { hint: 'Use NDJSON or JSON, or put "---" between conversations.' },
        );
    }
    position += bytes.length;
    line++;
  }
  yield take();
}

async function* splitLines(chunks: AsyncIterable<Buffer>, shown: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, from)) {
      yield bytes.subarray(from, at + 1);
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > maxRecordBytes)
      throw new Problem('too-large', `${shown} has a line of more than ${maxRecordText}.`);
  }
  if (rest.length > 0) yield rest;
}
