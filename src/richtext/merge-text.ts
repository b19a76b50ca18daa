import { diffLists, linesOf } from './diff-lines.ts';

/** Lines that both sides changed differently. */
export interface TextConflict {
  /** The line of the base where it starts, from 1. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

interface MergedText {
  /** The merged text. At a conflict, it contains the lines of the side to take, or the lines that a function returns. */
  readonly text: string;
  readonly conflicts: TextConflict[];
}

/** Base lines from `start` to before `end`, and the lines of one side that replace them. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Merges two versions of a text line by line. Changes of only one side, and equal changes of both, are applied. Different changes
 * that overlap or touch are a conflict, as in git.
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  take: 'ours' | 'theirs' | ((conflict: TextConflict) => string) = 'ours',
): MergedText {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const lines = linesOf(base);
  const sides = { ours: hunksOf(lines, linesOf(ours)), theirs: hunksOf(lines, linesOf(theirs)) };
  const result: string[] = [];
  const conflicts: TextConflict[] = [];
  let done = 0;
  for (const { start, end, ...group } of groupsOf(sides.ours, sides.theirs)) {
    result.push(lines.slice(done, start).join(''));
    done = end;
    const one = withHunks(lines, start, end, group.ours);
    const other = withHunks(lines, start, end, group.theirs);
    if (group.ours.length > 0 && group.theirs.length > 0 && one !== other) {
      const conflict = {
        line: start + 1,
        base: lines.slice(start, end).join(''),
        ours: one,
        theirs: other,
      };
      conflicts.push(conflict);
      result.push(typeof take === 'function' ? take(conflict) : conflict[take]);
    } else {
      result.push(group.ours.length > 0 ? one : other);
    }
  }
  result.push(lines.slice(done).join(''));
  return { text: result.join(''), conflicts };
}

function hunksOf(base: readonly string[], side: readonly string[]): Hunk[] {
  const hunks: { start: number; end: number; lines: readonly string[] }[] = [];
  let at = 0;
  for (const { type, lines } of diffLists(base, side)) {
    if (type === 'same') {
      at += lines.length;
      continue;
    }
    let last = hunks.at(-1);
    if (last?.end !== at) hunks.push((last = { start: at, end: at, lines: [] }));
    if (type === 'added') last.lines = [...last.lines, ...lines];
    else last.end = at += lines.length;
  }
  return hunks;
}

interface Group {
  readonly start: number;
  end: number;
  readonly ours: Hunk[];
  readonly theirs: Hunk[];
}

/** Groups the hunks of both sides that touch each other, in order. */
function groupsOf(ours: readonly Hunk[], theirs: readonly Hunk[]): Group[] {
  const tagged = [
    ...ours.map((hunk) => ({ hunk, side: 'ours' as const })),
    ...theirs.map((hunk) => ({ hunk, side: 'theirs' as const })),
  ];
  tagged.sort((one, other) => one.hunk.start - other.hunk.start || one.hunk.end - other.hunk.end);
  const groups: Group[] = [];
  for (const { hunk, side } of tagged) {
    let group = groups.at(-1);
    if (group === undefined || hunk.start > group.end)
      groups.push((group = { start: hunk.start, end: hunk.end, ours: [], theirs: [] }));
    group.end = Math.max(group.end, hunk.end);
    group[side].push(hunk);
  }
  return groups;
}

/** Returns the text of a side for the base lines from `start` to before `end`. */
function withHunks(base: readonly string[], start: number, end: number, hunks: readonly Hunk[]): string {
  let text = '';
  let at = start;
  for (const hunk of hunks) {
    text += base.slice(at, hunk.start).join('') + hunk.lines.join('');
    at = hunk.end;
  }
  return text + base.slice(at, end).join('');
}
