import { diffLists, linesOf } from './diff-lines.ts';

/** Lines that both sides changed, each in its own way. */
interface TextConflict {
  /** Line of the base, from 1, where it begins. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface MergedText {
  /** What came of it; at a conflict, the lines of the side that was to be taken. */
  readonly text: string;
  readonly conflicts: TextConflict[];
}

/** Base lines from `start` to before `end`, and what one side has in their place. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Merges what two sides made of a text, line by line: changes of one side are taken, equal changes of both as well.
 * Changes that overlap or touch each other are a conflict, as with git.
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  take: 'ours' | 'theirs' = 'ours',
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
      conflicts.push({ line: start + 1, base: lines.slice(start, end).join(''), ours: one, theirs: other });
      result.push(take === 'ours' ? one : other);
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

/** The hunks of both sides in their order, those that touch each other together. */
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

/** What a side has in the place of the base lines from `start` to before `end`. */
function withHunks(base: readonly string[], start: number, end: number, hunks: readonly Hunk[]): string {
  let text = '';
  let at = start;
  for (const hunk of hunks) {
    text += base.slice(at, hunk.start).join('') + hunk.lines.join('');
    at = hunk.end;
  }
  return text + base.slice(at, end).join('');
}
