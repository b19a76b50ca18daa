/** A range of a text: from an index up to, but not including, another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns all ranges of one kind in a text, in order and without overlap. The time must be linear in the length of any text. */
export type Finder = (text: string) => readonly Span[];

/** Whether the character at an index is an ASCII letter, a digit or "_"; false outside the text. */
export function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f
  );
}

/** Sorts ranges and merges overlapping ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    const last = merged.at(-1);
    if (last === undefined || from >= last.to) merged.push({ from, to });
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return merged;
}

/** Replaces ranges of a text. The ranges must be in order and must not overlap. */
export function replaceSpans(text: string, spans: readonly Span[], replacement: string): string {
  let result = '';
  let done = 0;
  for (const { from, to } of spans) {
    result += text.slice(done, from) + replacement;
    done = to;
  }
  return result + text.slice(done);
}

/**
 * Creates a finder from a pattern and a check of its matches. The pattern must need a bounded number of steps from each index.
 */
export function findByPattern(pattern: RegExp, isValid: (found: string) => boolean = () => true): Finder {
  return (text) => {
    const spans: Span[] = [];
    for (const { 0: found, index } of text.matchAll(pattern))
      if (isValid(found)) spans.push({ from: index, to: index + found.length });
    return spans;
  };
}
