/** Quotes a word for a POSIX shell if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
