/** Compares a file with what was ingested of it. `more` has been appended since; `changed` is another file than then. */
export type FileState = 'new' | 'more' | 'unchanged' | 'changed' | 'unreadable';

export interface PlannedFile {
  readonly file: string;
  readonly state: FileState;
  readonly bytes: number;
  /** Bytes that are not ingested yet. */
  readonly new: number;
  readonly reason?: string;
}

export interface PlannedJob {
  readonly job: string;
  readonly at: string;
  readonly files: readonly PlannedFile[];
}

/** Returns the files of a job that have something new. */
export function filesWithNew({ files }: PlannedJob): PlannedFile[] {
  return files.filter((file) => file.new > 0);
}

/** Whether there is anything to ingest. */
export function hasNew(job: PlannedJob): boolean {
  return filesWithNew(job).length > 0;
}
