import { diffLists } from '../richtext/diff-lines.ts';
import { mergeTexts } from '../richtext/merge-text.ts';

/** A text before a change and after it. */
interface Change {
  readonly before: string;
  readonly after: string;
}

/** A merged translation and its edits whose line is translated differently now. */
export interface MergedEdits {
  readonly text: string;
  /** Edits that are kept, because the source did not change. */
  readonly kept: number;
  /** Edits that gave way to the new translation, because the source changed. */
  readonly replaced: number;
}

/**
 * Merges what people edited in a translation into a new translation. The source decides line by line: an edit is kept
 * where the source did not change, even if the line would be translated differently now. `normalize` writes a source as
 * translations are written, for sources whose blank lines differ from those of their translation.
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
  // Lines that do not correspond are merged as those of any text.
  const { text, conflicts } = mergeTexts(before, after, edited, isSame ? 'theirs' : 'ours');
  return { text, kept: isSame ? conflicts.length : 0, replaced: isSame ? 0 : conflicts.length };
}

/** Gives the lines of the first of the texts that has its blank lines exactly where `text` has them. */
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

/** Lines `start` to `end` of a text and lines `from` to `to` that replace them; each end is excluded. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Lists what differs; lines that as many others replace are hunks of their own. */
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

/** Puts edits into the new translation except where the source changed. Where both add lines, both are kept. */
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

/** Returns a test whether a hunk shares a line with one of these or lies within it. Both sides come in order. */
function overlapWith(hunks: readonly Hunk[]): (hunk: Hunk) => boolean {
  const rest = hunks.values();
  let next = rest.next().value;
  return ({ start, end }) => {
    while (next !== undefined && next.end <= start) next = rest.next().value;
    return next !== undefined && next.start < end && start < next.end;
  };
}

/** Adds lines one by one: a call cannot take as many arguments as a text may have lines. */
function append(result: string[], lines: readonly string[], from: number, to?: number): void {
  for (const line of lines.slice(from, to)) result.push(line);
}
