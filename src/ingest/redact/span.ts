/** A piece of a text: from one place up to, and without, another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds all of one kind in a text, in order, none over another; takes time in proportion to the text, whatever it is. */
export type Finder = (text: string) => readonly Span[];

/** Whether the character at a place is an ASCII letter, a digit or "_"; before the start and behind the end there is none. */
export function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f
  );
}

/** The text with something else in place of each piece. */
export function replaceSpans(text: string, spans: readonly Span[], by: string): string {
  let result = '';
  let done = 0;
  for (const { from, to } of spans) {
    result += text.slice(done, from) + by;
    done = to;
  }
  return result + text.slice(done);
}

/** What a pattern finds and a test confirms. The pattern must take a bounded number of steps from each place. */
export function findByPattern(pattern: RegExp, isMeant: (found: string) => boolean = () => true): Finder {
  return (text) => {
    const spans: Span[] = [];
    for (const { 0: found, index } of text.matchAll(pattern))
      if (isMeant(found)) spans.push({ from: index, to: index + found.length });
    return spans;
  };
}
