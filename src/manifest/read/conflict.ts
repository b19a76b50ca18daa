import type { SourceLocation } from './source-location.ts';

/** Where a merge conflict begins that git left in a text. */
export function conflictIn(text: string, file: string): SourceLocation | undefined {
  const start = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  return start === null
    ? undefined
    : { file, line: text.slice(0, start.index).split('\n').length, column: 1 };
}

/** What to do about it. */
export const conflictMessage =
  'a merge conflict begins here; keep what is right of its sides, and take the lines of <<<<<<<, ======= and >>>>>>> out';
