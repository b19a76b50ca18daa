import { ownValue } from '../contract/values.ts';

/** A record of an input file and its location. */
export interface SourceRecord {
  readonly file: string;
  /** The line in which the record begins, from 1; in YAML, the line of its document. */
  readonly line: number;
  /** The line in which an item of a list in a YAML document begins. */
  readonly itemLine?: number;
  /** The number of an item in its list, from 1, if its line begins other items too. */
  readonly number?: number;
  readonly value: unknown;
  /** The offset of its end in the file, in bytes. A resumed run skips records that end at or before its checkpoint. */
  readonly end: number;
  /** More records with the same `end` follow. */
  readonly hasMore?: true;
  /** The records of the messages, if each record is one message. `value` is then the list of their values. */
  readonly rows?: readonly SourceRecord[];
  /** The size of `rows`, in bytes. */
  readonly size?: number;
  /** Why the record could not be read. */
  readonly problem?: string;
}

/** Maximum size of a record, in bytes. */
export const maxRecordBytes = 4 * 1024 * 1024;

/** The maximum size of a record for messages, with its unit. */
export const maxRecordText = `${maxRecordBytes >> 20} MiB`;

/** Returns a record that is too large to be read; `start` is the beginning of its text. */
export function tooLongRecord(
  { file, line, end }: Pick<SourceRecord, 'file' | 'line' | 'end'>,
  start: string,
): SourceRecord {
  return { file, line, end, value: start, problem: `the record has more than ${maxRecordText}` };
}

export const inputFormats = ['ndjson', 'json', 'yaml', 'csv', 'tsv'] as const;
export type InputFormat = (typeof inputFormats)[number];

const formatsByExtension: Readonly<Record<string, InputFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'tsv',
};

/** Returns the format for the extension of a file name; undefined for an unknown one. */
export function formatFromName(name: string): InputFormat | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return ownValue(formatsByExtension, extension);
}
