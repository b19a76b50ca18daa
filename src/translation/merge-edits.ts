import { diffLists } from '../richtext/diff-lines.ts';
import { mergeTexts } from '../richtext/merge-text.ts';

/** A text before and after a change. */
interface Change {
  readonly before: string;
  readonly after: string;
}

/** A merged translation, and the numbers of edits in lines whose translation has changed. */
export interface MergedEdits {
  readonly text: string;
  /** Number of edits that are kept, because the source did not change. */
  readonly kept: number;
  /** Number of edits that the new translation replaces, because the source changed. */
  readonly replaced: number;
}

/**
 * Merges edits of people into a new translation, line by line: an edit is kept if the source line did not change, even if its
 * translation did. `normalize` converts a source to the form of translations, for sources whose blank lines differ from those of
 * their translation.
 */
export function mergeEdits(
  source: Change,
  translation: Change,
  edited: string,
  normalize: (text: string) => string = (text) => text,
): MergedEdits {
  const { before, after } = translation;
  if (edited === before || edited === after) return { text: after, kept: 0, replaced: 0 };
  const isSame = source.before === source.after;
  const old = isSame
    ? linesLike(before, after)
    : linesLike(before, source.before, () => normalize(source.before));
  const now = isSame ? old : linesLike(after, source.after, () => normalize(source.after));
  if (old !== undefined && now !== undefined) return mergeLines(hunksOf(old, now), translation, edited);
  // If lines cannot be matched, the texts are merged like other texts.
  const { text, conflicts } = mergeTexts(before, after, edited, isSame ? 'theirs' : 'ours');
  return { text, kept: isSame ? conflicts.length : 0, replaced: isSame ? 0 : conflicts.length };
}

/** Returns the lines of the first text that has blank lines at exactly the same places as `text`. */
function linesLike(text: string, ...candidates: (string | (() => string))[]): string[] | undefined {
  const shape = shapeOf(text.split('\n'));
  for (const candidate of candidates) {
    const lines = (typeof candidate === 'string' ? candidate : candidate()).split('\n');
    if (shapeOf(lines) === shape) return lines;
  }
  return undefined;
}

function shapeOf(lines: readonly string[]): string {
  return lines.map((line) => (line.trim() === '' ? ' ' : 'x')).join('');
}

/** Lines `start` to `end` of a text, and lines `from` to `to` that replace them. The ends are exclusive. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the differences. If the number of lines is unchanged, each line is its own hunk. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [at, then] = [0, 0];
  for (const { type, lines } of diffLists(before, after)) {
    const [end, to] = [
      type === 'added' ? at : at + lines.length,
      type === 'removed' ? then : then + lines.length,
    ];
    if (type !== 'same') {
      const last = hunks.at(-1);
      if (last?.end === at && last.to === then) hunks[hunks.length - 1] = { ...last, end, to };
      else hunks.push({ start: at, end, from: then, to });
    }
    [at, then] = [end, to];
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

/** Applies edits to the new translation, except where the source changed. If both add lines, both are kept. */
function mergeLines(ofSource: readonly Hunk[], { before, after }: Change, edited: string): MergedEdits {
  const lines = { before: before.split('\n'), after: after.split('\n'), edited: edited.split('\n') };
  const edits = hunksOf(lines.before, lines.edited).map((hunk) => ({ ...hunk, isEdit: true }));
  const overlaps = overlapWith(ofSource);
  const left = edits.filter((edit) => !overlaps(edit));
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
  append(result, lines.after, at + shift);
  return { text: result.join('\n'), kept, replaced: edits.length - left.length };
}

function isUntouched(
  { before, after }: { before: readonly string[]; after: readonly string[] },
  { start, end }: Pick<Hunk, 'start' | 'end'>,
  shift: number,
): boolean {
  for (let at = start; at < end; at++) if (before[at] !== after[at + shift]) return false;
  return true;
}

/** Returns a function that checks whether a hunk overlaps with one of these. Both must be sorted. */
function overlapWith(hunks: readonly Hunk[]): (hunk: Hunk) => boolean {
  const rest = hunks.values();
  let next = rest.next().value;
  return ({ start, end }) => {
    while (next !== undefined && next.end <= start) next = rest.next().value;
    return next !== undefined && next.start < end && start < next.end;
  };
}

/** Adds lines one by one, because a call accepts fewer arguments than a text may have lines. */
function append(result: string[], lines: readonly string[], from: number, to?: number): void {
  for (const line of lines.slice(from, to)) result.push(line);
}
