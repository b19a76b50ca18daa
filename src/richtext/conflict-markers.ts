import { mergeTexts, type TextConflict } from './merge-text.ts';

/** The texts on the lines of the markers: "<<<<<<< change request 7". */
export interface MarkerLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** Merges two versions of a text line by line, with both sides of each conflict between markers, like git. */
export function mergeWithMarkers(
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
  labels: MarkerLabels,
): string {
  const end = ours.includes('\r\n') ? '\r\n' : '\n';
  const closed = (text: string) => (text === '' || text.endsWith('\n') ? text : text + end);
  const mark = (conflict: TextConflict) =>
    [
      `<<<<<<< ${labels.ours}${end}`,
      closed(conflict.ours),
      `=======${end}`,
      closed(conflict.theirs),
      `>>>>>>> ${labels.theirs}${end}`,
    ].join('');
  return mergeTexts(base, ours, theirs, mark).text;
}

/** Whether a text has a conflict of git outside of code blocks. */
export function hasGitConflict(text: string): boolean {
  const prose = text.replace(/^ *(`{3,}|~{3,})[^]*?^ *\1/gm, '');
  return /^<{7} [^]*?^={7}\r?$[^]*?^>{7} /m.test(prose);
}

/** Whether a text still has a conflict marker. */
export function hasMarkers(text: string, { ours, theirs }: MarkerLabels): boolean {
  return text.split(/\r?\n/).some((line) => line === `<<<<<<< ${ours}` || line === `>>>>>>> ${theirs}`);
}
