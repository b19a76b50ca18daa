/** What a manifest may hold, all its files together. */
export const limits = {
  /** Bytes of YAML and JSON. */
  bytes: 16 * 1024 * 1024,
  /** Levels of maps and lists within each other. */
  depth: 64,
  /** Values, keys not counted. */
  nodes: 100_000,
  /** Bytes of one file taken in with !file. */
  fileBytes: 4 * 1024 * 1024,
  /** Bytes of all files taken in with !file. */
  filesBytes: 64 * 1024 * 1024,
  /** Characters that variables may put in. */
  filled: 16 * 1024 * 1024,
  files: 1000,
  /** Entries of folders that one glob may look at. */
  walked: 100_000,
  faults: 50,
} as const;
