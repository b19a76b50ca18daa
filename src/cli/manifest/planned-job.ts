/**
 * The state of a file compared with the data that was ingested from it. `more`: data was appended since. `changed`: it is another
 * file now.
 */
export type FileState = 'new' | 'more' | 'unchanged' | 'changed' | 'unreadable';

export interface PlannedFile {
  readonly file: string;
  readonly state: FileState;
  readonly bytes: number;
  /** The number of bytes that are not ingested yet. */
  readonly new: number;
  readonly reason?: string;
}

export interface PlannedJob {
  readonly job: string;
  readonly at: string;
  readonly files: readonly PlannedFile[];
}

/** Returns the files of a job with new data. */
export function filesWithNew({ files }: PlannedJob): PlannedFile[] {
  return files.filter((file) => file.new > 0);
}

/** Whether there is anything to ingest. */
export function hasNew(job: PlannedJob): boolean {
  return filesWithNew(job).length > 0;
}
