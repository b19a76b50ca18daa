/** One record of a bulk file and where it stands; `problem` says why it could not be read. */
export interface SourceRecord {
  readonly file: string;
  readonly line: number;
  readonly value: unknown;
  /** Bytes of the file up to the end of what holds it: what ends there or before, a later run leaves out when it is done. */
  readonly end: number;
  /** More records come out of the same place; only with the last one it is done. */
  readonly partly?: true;
  readonly problem?: string;
}

/** Bytes that one record takes at most. */
export const maxRecordBytes = 4 * 1024 * 1024;

/** The same in words. */
export const maxRecordText = `${maxRecordBytes >> 20} MiB`;

/** How bulk files are written. */
export const inputFormats = ['ndjson', 'json', 'yaml', 'csv', 'tsv'] as const;
export type InputFormat = (typeof inputFormats)[number];

const endings: Readonly<Record<string, InputFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'tsv',
};

/** The format that the name of a file says. */
export function formatFromName(name: string): InputFormat | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}
