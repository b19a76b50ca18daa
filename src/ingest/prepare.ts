import { createHash } from 'node:crypto';
import { isObject } from '../contract/values.ts';
import { pathsOf } from '../contract/paths.ts';
import { Problem } from '../errors/problem.ts';
import { valueAtPath } from './field-path.ts';
import { mapColumns } from './map-columns.ts';
import type { SourceRecord } from './source-record.ts';
import { RecordMapper, readApiRecord } from './map-record.ts';
import { buildMapping, type Mapping } from './mapping.ts';
import { formOf } from './record-forms.ts';
import type { Redactor } from '../redaction/kinds.ts';
import { idOf, type PreparedRecord } from './send.ts';
import { closestName, hintAtList, listFieldOf, withSuggestion } from './suggestion.ts';

interface PrepareOptions {
  readonly file: string;
  readonly mapping: Mapping | undefined;
  readonly redactor: Redactor;
  /** Whether records without an ID get a hash of their content as the ID. */
  readonly idFromContent: boolean;
  readonly note: (line: string) => void;
}

/**
 * Creates the functions that map and redact the records of one file. Paths that match none of the first records are
 * noted or refused.
 */
export function createPreparer({ file, mapping, redactor, idFromContent, note }: PrepareOptions) {
  const openMapper = (complete: Mapping) => new RecordMapper({ mapping: complete, withoutId: idFromContent });
  let mapper = mapping === undefined ? undefined : openMapper(mapping);
  const unmapped = buildMapping([], [], undefined, () => {});
  const withoutMapping = openMapper(unmapped);
  return {
    /** Receives the columns of a file that is a table. */
    onColumns: (columns: readonly string[]): void => {
      mapper = openMapper(mapColumns(mapping ?? unmapped, columns, file, idFromContent));
    },
    /** Returns the ID of a record that is mapped; undefined if it has none. */
    idOf: (record: unknown): string | undefined => mapper?.idOf(record),
    prepare: (records: readonly SourceRecord[], isFirst: boolean): PreparedRecord[] => {
      const results = records.map((record) => {
        const { problem, value, rows } = record;
        if (problem !== undefined) return { record, mapped: { problem } };
        if (mapper === undefined)
          return {
            record,
            mapped: formOf(value) === undefined ? readApiRecord(value, unmapped) : withoutMapping.map(value),
          };
        if (rows === undefined) return { record, mapped: mapper.map(value) };
        const mapped = mapper.mapRows(rows.map((row) => row.value));
        if (mapped.row === undefined) return { record, mapped };
        // The location of the record with the problem, and the values of all records of the conversation.
        return { record: { ...rows[mapped.row]!, value, end: record.end }, mapped };
      });
      if (isFirst && mapper !== undefined)
        checkUnmatchedPaths(
          mapper,
          records.flatMap((record) => record.rows ?? record),
          file,
          note,
        );
      return results.map(({ record, mapped }) => {
        if ('problem' in mapped) {
          const id = mapper === undefined ? idOf(record.value) : mapper.idOf(record.value);
          return { record, value: { id }, problem: mapped.problem };
        }
        const value = redactor.redactConversation(mapped.value);
        const prepared = { record, value: idFromContent ? withId(value) : value };
        // V8 is slow at copying one object into another, and nearly all records have messages.
        return 'lacksMessages' in mapped ? { ...prepared, lacksMessages: true } : prepared;
      });
    },
  };
}

/**
 * Checks the paths that match none of the first records, since they may be typing errors.
 *
 * @throws Problem(invalid-input) if the field is required or a similar field exists; other paths become a warning
 */
function checkUnmatchedPaths(
  { unmatchedPaths }: RecordMapper,
  records: readonly SourceRecord[],
  file: string,
  note: (line: string) => void,
): void {
  const sample = records.find(({ problem }) => problem === undefined)?.value;
  if (sample === undefined) return;
  const fields = pathsOf(sample);
  for (const [path, target] of unmatchedPaths) {
    // A record that was rejected for another field may contain it.
    if (records.some(({ value }) => valueAtPath(value, path) !== undefined)) continue;
    const close = closestName(path.name, fields);
    const none =
      records.length === 1
        ? `The first record of ${file} does not have`
        : `None of the first ${records.length} records of ${file} has`;
    const what = `${none} the field "${path.text.slice(0, 100)}" for ${target}`;
    if (close === undefined && !['id', 'parts', 'body'].includes(target)) {
      note(`warning: ${what}.`);
      continue;
    }
    const list = records.length === 1 && close === undefined ? listFieldOf(sample) : undefined;
    throw new Problem('invalid-input', withSuggestion(what, path.name, fields, '.'), {
      hint: `${list === undefined ? '' : `${hintAtList(list)} `}The first record has: ${fields
        .slice(0, 20)
        .map((field) => field.slice(0, 60))
        .join(', ')}.`,
    });
  }
}

/** Adds an ID that is a hash of the redacted content, so that the same content is always the same conversation. */
function withId(value: unknown): unknown {
  if (!isObject(value) || idOf(value) !== undefined) return value;
  return {
    id: `content-${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)}`,
    ...value,
  };
}
