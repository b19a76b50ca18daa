import { diffArrays } from 'diff';

/** Lines that are in both texts or in only one of them. Each line includes its line end. */
interface LineChange {
  readonly type: 'same' | 'removed' | 'added';
  readonly lines: string[];
}

/** Maximum number of moved lines. Beyond it, the texts count as entirely different, because the search takes quadratic time. */
const maxMoves = 2000;
/** Maximum number of steps, to limit the search in very long texts. */
const maxSteps = 20_000_000;

/** Splits a text into lines, each with its line end. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Compares two texts line by line. If too many lines have moved, everything between the first and the last difference counts as
 * removed and added.
 */
export function diffLines(before: string, after: string): LineChange[] {
  return diffLists(linesOf(before), linesOf(after));
}

/** Compares two lists of lines as `diffLines` does. */
export function diffLists(before: readonly string[], after: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  const add = (type: LineChange['type'], lines: readonly string[]): void => {
    if (lines.length > 0) changes.push({ type, lines: [...lines] });
  };
  let [at, then] = [0, 0];
  for (const { from, to, count } of [
    ...sameRuns(before, after),
    { from: before.length, to: after.length, count: 0 },
  ]) {
    add('removed', before.slice(at, from));
    add('added', after.slice(then, to));
    add('same', before.slice(from, from + count));
    [at, then] = [from + count, to + count];
  }
  return changes;
}

/** `count` equal lines, starting at line `from` of one text and line `to` of the other. */
interface Run {
  readonly from: number;
  readonly to: number;
  count: number;
}

function sameRuns(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const runs: Run[] = [{ from: 0, to: 0, count: head }];
  // Only lines in both texts can be equal. Without the other lines, the search takes less time.
  const middle = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  const ids = new Map<string, number>();
  const old = sharedLines(middle[0], new Set(middle[1]), ids);
  const now = sharedLines(middle[1], new Set(middle[0]), ids);
  const size = old.ids.length + now.ids.length;
  const found =
    old.ids.length === 0 || now.ids.length === 0
      ? undefined
      : diffArrays(old.ids, now.ids, { maxEditLength: Math.min(maxMoves, Math.ceil(maxSteps / size)) });
  let [at, then] = [0, 0];
  for (const { removed, added, count } of found ?? []) {
    if (!removed && !added)
      for (const [step, place] of old.places.slice(at, at + count).entries())
        append(runs, head + place, head + now.places[then + step]!);
    if (!added) at += count;
    if (!removed) then += count;
  }
  runs.push({ from: before.length - tail, to: after.length - tail, count: tail });
  return runs.filter(({ count }) => count > 0);
}

/**
 * Returns the lines that the other side has too: their indexes, and a number for each distinct line, because numbers are compared
 * faster than long lines.
 */
function sharedLines(
  lines: readonly string[],
  other: ReadonlySet<string>,
  known: Map<string, number>,
): { readonly places: readonly number[]; readonly ids: number[] } {
  const places: number[] = [];
  const ids: number[] = [];
  for (const [place, line] of lines.entries()) {
    if (!other.has(line)) continue;
    const id = known.get(line) ?? known.size;
    known.set(line, id);
    places.push(place);
    ids.push(id);
  }
  return { places, ids };
}

function append(runs: Run[], from: number, to: number): void {
  const last = runs.at(-1);
  if (last !== undefined && last.from + last.count === from && last.to + last.count === to) last.count++;
  else runs.push({ from, to, count: 1 });
}
