/**
 * Returns the last value of an option in a command line that was not parsed yet: `--org Acme`, `--org=Acme`, `-o json` or `-ojson`.
 * Words after `--` are no options.
 */
export function valueOf(argv: readonly string[], flag: string, short?: string): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const isShort = (word: string) => short !== undefined && new RegExp(`^${short}(?:\\w|$)`).test(word);
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`) || isShort(word));
  const word = words[at];
  if (word === undefined) return undefined;
  if (word === flag || word === short) return words[at + 1];
  return word.slice(isShort(word) ? 2 : flag.length + 1);
}

/** Whether a command line that was not parsed yet has a flag. Words after `--` are no options. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const [at, end] = [argv.indexOf(flag), argv.indexOf('--')];
  return at >= 0 && (end < 0 || at < end);
}
