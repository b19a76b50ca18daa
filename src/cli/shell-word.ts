/** A word as it can be typed into a shell: quoted where it must be, so that nothing in it is run. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
