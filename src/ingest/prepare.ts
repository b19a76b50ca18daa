import { createHash } from 'node:crypto';
import { Problem } from '../errors/problem.ts';
import { pathsOf } from '../contract/paths.ts';
import { mapColumns } from './map-columns.ts';
import type { SourceRecord } from './source-record.ts';
import { createMapper, type RecordMapper } from './map-record.ts';
import { buildMapping, type Mapping } from './mapping.ts';
import type { Redactor } from './redact/kinds.ts';
import type { PreparedRecord } from './send.ts';
import { closestName, withSuggestion } from './suggestion.ts';

interface PrepareOptions {
  readonly file: string;
  readonly mapping: Mapping | undefined;
  readonly redactor: Redactor;
  /** A record without an id gets one that is made of its content. */
  readonly idFromContent: boolean;
  readonly reject: (entry: SourceRecord, reason: string, id: string | undefined) => void;
  readonly note: (line: string) => void;
}

/** Makes the records of one file ready to be sent. */
export interface Preparer {
  /** The file is a table with these columns. */
  onColumns(columns: readonly string[]): void;
  prepare(entries: readonly SourceRecord[], isFirst: boolean): PreparedRecord[];
}

export function createPreparer({
  file,
  mapping,
  redactor,
  idFromContent,
  reject,
  note,
}: PrepareOptions): Preparer {
  const mapperOf = (given: Mapping): RecordMapper => createMapper({ mapping: given, withoutId: idFromContent });
  let mapper = mapping === undefined ? undefined : mapperOf(mapping);
  return {
    onColumns: (columns) => {
      mapper = mapperOf(
        mapColumns(mapping ?? buildMapping([], [], undefined, () => {}), columns, file, idFromContent),
      );
    },
    prepare: (entries, isFirst) => {
      const mapped = entries.map((entry) =>
        entry.problem === undefined
          ? (mapper?.map(entry.value) ?? { value: entry.value })
          : { problem: entry.problem },
      );
      if (isFirst && mapper !== undefined) checkUnmatchedPaths(mapper, entries, file, note);
      return entries.flatMap((entry, index) => {
        const one = mapped[index]!;
        if ('problem' in one) {
          reject(entry, one.problem, mapper === undefined ? idOf(entry.value) : mapper.idOf(entry.value));
          return [];
        }
        const value = redactor.redactConversation(one.value);
        return [{ record: entry, value: idFromContent ? withId(value) : value }];
      });
    },
  };
}

/** A path that leads nowhere in the first records is a typing error where a field is called nearly so. */
function checkUnmatchedPaths(
  { unmatchedPaths }: RecordMapper,
  entries: readonly SourceRecord[],
  file: string,
  note: (line: string) => void,
): void {
  const sample = entries.find(({ problem }) => problem === undefined)?.value;
  if (sample === undefined) return;
  const fields = pathsOf(sample);
  for (const [path, target] of unmatchedPaths) {
    const close = closestName(path.name, fields);
    const what = `None of the first ${entries.length} records of ${file} has "${path.text.slice(0, 100)}" (for ${target})`;
    if (close === undefined && !['id', 'parts', 'body'].includes(target)) {
      note(`warning: ${what}.`);
      continue;
    }
    throw new Problem('invalid-input', withSuggestion(what, path.name, fields, '.'), {
      hint: `The first has: ${fields
        .slice(0, 20)
        .map((field) => field.slice(0, 60))
        .join(', ')}.`,
    });
  }
}

/** The id of a conversation as the API has it. */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** An id made of all that is said, after what is private was taken out: the same text is the same conversation. */
function withId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || idOf(value) !== undefined) return value;
  return {
    id: `content-${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)}`,
    ...value,
  };
}
