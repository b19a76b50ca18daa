/** Limits of a manifest, for all its files together. */
export const limits = {
  /** Bytes of YAML and JSON. */
  bytes: 16 * 1024 * 1024,
  /** Levels of maps and lists within each other. */
  depth: 64,
  /** Number of values, not counting keys. */
  nodes: 100_000,
  /** Bytes of one file included with !file. */
  fileBytes: 4 * 1024 * 1024,
  /** Bytes of all files included with !file. */
  filesBytes: 64 * 1024 * 1024,
  /** Characters that variables may fill in. */
  filled: 16 * 1024 * 1024,
  files: 1000,
  /** Folder entries that one glob may visit. */
  walked: 100_000,
  faults: 50,
} as const;
