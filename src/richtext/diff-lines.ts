import { diffArrays } from 'diff';

/** Lines of a text that both sides have, or only one of them; each line keeps its line end. */
export interface LineChange {
  readonly type: 'same' | 'removed' | 'added';
  readonly lines: string[];
}

/** How many lines that both texts have may lie elsewhere before the texts count as nothing alike: the search costs the square of it. */
const mostMoves = 2000;
/** Of very many lines fewer may: each move looked for costs a walk along them. */
const mostSteps = 20_000_000;

/** The lines of a text, each with its line end; the last one has none where the text does not end in one. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * What differs between two texts, line by line, in the order of the texts. Where too much has moved about to compare it,
 * all between the first and the last difference counts as removed and added.
 */
export function diffLines(before: string, after: string): LineChange[] {
  return diffLists(linesOf(before), linesOf(after));
}

/** The same for texts that are lines already. */
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

/** Lines that both have: `count` of them, from these places on. */
interface Run {
  readonly from: number;
  readonly to: number;
  count: number;
}

function sameRuns(before: readonly string[], after: readonly string[]): Run[] {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const runs: Run[] = [{ from: 0, to: 0, count: head }];
  // Lines that only one side has cannot be the same as anything; without them the search looks at what has moved only.
  const old = sharedLines(
    before,
    head,
    before.length - tail,
    new Set(after.slice(head, after.length - tail)),
  );
  const now = sharedLines(
    after,
    head,
    after.length - tail,
    new Set(before.slice(head, before.length - tail)),
  );
  const found =
    old.length === 0 || now.length === 0
      ? undefined
      : diffArrays(...numbered(before, after, old, now), {
          maxEditLength: Math.min(mostMoves, Math.ceil(mostSteps / (old.length + now.length))),
        });
  let [at, then] = [0, 0];
  for (const { removed, added, count } of found ?? []) {
    if (!removed && !added)
      for (let step = 0; step < count; step++) append(runs, old[at + step]!, now[then + step]!);
    if (!added) at += count;
    if (!removed) then += count;
  }
  runs.push({ from: before.length - tail, to: after.length - tail, count: tail });
  return runs.filter(({ count }) => count > 0);
}

/** Places of the lines from `start` to before `end` that the other side has as well. */
function sharedLines(
  lines: readonly string[],
  start: number,
  end: number,
  other: ReadonlySet<string>,
): number[] {
  const places: number[] = [];
  for (let at = start; at < end; at++) if (other.has(lines[at]!)) places.push(at);
  return places;
}

/** Numbers for lines: comparing long lines again and again would cost their length each time. */
function numbered(
  before: readonly string[],
  after: readonly string[],
  old: readonly number[],
  now: readonly number[],
): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    if (!numbers.has(line)) numbers.set(line, numbers.size);
    return numbers.get(line)!;
  };
  return [old.map((place) => numberOf(before[place]!)), now.map((place) => numberOf(after[place]!))];
}

function append(runs: Run[], from: number, to: number): void {
  const last = runs.at(-1)!;
  if (last.from + last.count === from && last.to + last.count === to) last.count++;
  else runs.push({ from, to, count: 1 });
}
