/** One record of an input file and its location. `problem` says why it could not be read. */
export interface SourceRecord {
  readonly file: string;
  readonly line: number;
  readonly value: unknown;
  /** The end of the record in the file, in bytes. A resumed run skips records that end at or before its checkpoint. */
  readonly end: number;
  /** More records with the same end follow; the end is reached with the last of them. */
  readonly hasMore?: true;
  readonly problem?: string;
}

export const maxRecordBytes = 4 * 1024 * 1024;

export const maxRecordText = `${maxRecordBytes >> 20} MiB`;

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

/** Returns the format that belongs to the extension of a file name. */
export function formatFromName(name: string): InputFormat | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(formatsByExtension, extension) ? formatsByExtension[extension] : undefined;
}
