import { diffLists } from '../richtext/diff-lines.ts';
import { mergeTexts } from '../richtext/merge-text.ts';

/** A text before and after. */
export type Twice = readonly [before: string, after: string];

export interface MergedEdits {
  readonly text: string;
  /** Edits that stay although the translation of their line is another one now. */
  readonly kept: number;
  /** Edits of lines that the source changed: the translation takes their place. */
  readonly replaced: number;
}

/**
 * Merges what people edited in a translation with a new one of it. The source decides, line by line: where it is as it
 * was, the edit stays, whatever a glossary or another service would make of the line now.
 */
export function mergeEdits(
  source: Twice,
  translation: Twice,
  edited: string,
  normal: (text: string) => string = (text) => text,
): MergedEdits {
  const [before, after] = translation;
  if (edited === before || edited === after) return { text: after, kept: 0, replaced: 0 };
  const isSame = source[0] === source[1];
  const old = isSame ? linesLike(before, after) : linesLike(before, source[0], () => normal(source[0]));
  const now = isSame ? old : linesLike(after, source[1], () => normal(source[1]));
  if (old !== undefined && now !== undefined) return mergeLines(hunksOf(old, now), translation, edited);
  // Lines that cannot be laid side by side are merged as those of any text.
  const { text, conflicts } = mergeTexts(before, after, edited, isSame ? 'theirs' : 'ours');
  return { text, kept: isSame ? conflicts.length : 0, replaced: isSame ? 0 : conflicts.length };
}

/** The lines of the first text that has blank lines exactly where `text` has them, so that each stands for one of its lines. */
function linesLike(text: string, ...given: (string | (() => string))[]): string[] | undefined {
  const shape = shapeOf(text.split('\n'));
  for (const each of given) {
    const lines = (typeof each === 'string' ? each : each()).split('\n');
    if (shapeOf(lines) === shape) return lines;
  }
  return undefined;
}

function shapeOf(lines: readonly string[]): string {
  return lines.map((line) => (line.trim() === '' ? ' ' : 'x')).join('');
}

/** Lines from `start` to before `end`, and those that took their place: `from` to before `to`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** What differs, each line on its own where there are as many as before. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: { start: number; end: number; from: number; to: number }[] = [];
  let [at, then] = [0, 0];
  for (const { type, lines } of diffLists(before, after)) {
    if (type !== 'same') {
      if (hunks.at(-1)?.end !== at || hunks.at(-1)?.to !== then)
        hunks.push({ start: at, end: at, from: then, to: then });
      if (type === 'added') hunks.at(-1)!.to += lines.length;
      else hunks.at(-1)!.end += lines.length;
    }
    if (type !== 'added') at += lines.length;
    if (type !== 'removed') then += lines.length;
  }
  return hunks.flatMap((hunk) => {
    const count = hunk.end - hunk.start;
    if (count !== hunk.to - hunk.from || count < 2) return [hunk];
    return Array.from({ length: count }, (_, index) => ({
      start: hunk.start + index,
      end: hunk.start + index + 1,
      from: hunk.from + index,
      to: hunk.from + index + 1,
    }));
  });
}

/** Puts edits into the new translation but where the source changed; what both added at one place both stays. */
function mergeLines(ofSource: readonly Hunk[], [before, after]: Twice, edited: string): MergedEdits {
  const lines = { before: before.split('\n'), after: after.split('\n'), edited: edited.split('\n') };
  const edits = hunksOf(lines.before, lines.edited).map((hunk) => ({ ...hunk, isEdit: true }));
  const changed = placesOf(ofSource);
  const left = edits.filter((edit) => !changed(edit));
  const all = [...ofSource.map((hunk) => ({ ...hunk, isEdit: false })), ...left];
  all.sort(
    (one, other) =>
      one.start - other.start || one.end - other.end || Number(one.isEdit) - Number(other.isEdit),
  );
  const result: string[] = [];
  let kept = 0;
  // Line `at` of the old translation is line `at + shift` of the new one.
  let [at, shift] = [0, 0];
  for (const { start, end, from, to, isEdit } of all) {
    append(result, lines.after, at + shift, start + shift);
    append(result, isEdit ? lines.edited : lines.after, from, to);
    if (!isEdit) shift = to - end;
    else if (!isUntouched(lines, { start, end }, shift)) kept++;
    at = end;
  }
  append(result, lines.after, at + shift, lines.after.length);
  return { text: result.join('\n'), kept, replaced: edits.length - left.length };
}

function isUntouched(
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  { start, end }: Pick<Hunk, 'start' | 'end'>,
  shift: number,
): boolean {
  for (let at = start; at < end; at++) if (before[at] !== after[at + shift]) return false;
  return true;
}

/** Tells whether a hunk shares a line with any of these, which are in order, or stands within one. */
function placesOf(hunks: readonly Hunk[]): (hunk: Hunk) => boolean {
  let next = 0;
  return ({ start, end }) => {
    // Asked in order as well: what ended before begins nothing that is to come.
    while (next < hunks.length && hunks[next]!.end <= start) next++;
    return hunks[next] !== undefined && hunks[next]!.start < end && start < hunks[next]!.end;
  };
}

function append(result: string[], lines: readonly string[], from: number, to: number): void {
  for (let at = from; at < to; at++) result.push(lines[at]!);
}
