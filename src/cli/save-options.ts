/** Where a command puts the file it answers with. */
export interface SaveOptions {
  /** A file, a folder, or "-" for standard output, which is also the default. */
  readonly out?: string;
  readonly force?: boolean;
}

/** The flags of a command that may answer with a file. */
export const outOption = [
  '-O, --out <file>',
  'where to save it; DIR/ keeps its own name, - is standard output',
] as const;
export const forceOption = ['--force', 'replace the file if it is there'] as const;
