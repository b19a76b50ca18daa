import { once } from '../../contract/once.ts';

// The patterns for Unicode are compiled at their first use, which takes a millisecond.
const plain = /^[\x20-\x7e]*$/;
/** Characters that may combine with their neighbors. Text without them needs no segmenter, which is slow. */
const joins = once(
  () =>
    /[\p{M}\p{Cf}\p{Emoji_Presentation}\p{Extended_Pictographic}\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FF]/u,
);
const wideEmoji = once(
  () =>
    /^(?:\p{Regional_Indicator}{2}|\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Extended_Pictographic}\p{Emoji_Modifier})/u,
);
const zeroWidth = once(() => /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11FF\uD7B0-\uD7FF]$/u);
/** East Asian wide and full-width characters. Unicode property escapes do not support them. */
const wide = once(
  () =>
    /^[\u1100-\u115F\u2329\u232A\u2630-\u2637\u268A-\u268F\u2E80-\u303E\u3041-\u3247\u3250-\u33FF\u3400-\u4DBF\u4DC0-\u4DFF\u4E00-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DF2}\u{1AFF0}-\u{1B2FB}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]$/u,
);

/** Returns the width of a text in terminal cells: two for CJK and emoji, none for a combining mark. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  if (!joins().test(text)) return clusterWidth(text);
  let width = 0;
  for (const cluster of clusters(text)) width += clusterWidth(cluster);
  return width;
}

/** Pads with spaces on the right, or on the left with `alignRight`. */
export function pad(text: string, width: number, alignRight = false): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return alignRight ? space + text : text + space;
}

/** Cuts a text to a width and ends it with …. Characters are not split. */
export function truncate(text: string, width: number): string {
  if (text.length <= width && plain.test(text)) return text;
  return displayWidth(text) <= width ? text : `${headOf(text, width - 1)}…`;
}

/** Cuts the start of a path to a width and replaces it by …, before a slash if there is one nearby. */
export function truncateFront(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let tail = plain.test(text) ? text.slice(Math.max(0, text.length - width + 1)) : tailOf(text, width - 1);
  const slash = tail.slice(0, Math.ceil(tail.length / 3)).indexOf('/');
  if (slash > 0) tail = tail.slice(slash);
  return `…${tail}`;
}

/** Returns the longest end of a text that fits the width. Characters are not split. */
function tailOf(text: string, width: number): string {
  const all = [...clusters(text)];
  let left = width;
  let start = all.length;
  while (start > 0 && (left -= clusterWidth(all[start - 1] ?? '')) >= 0) start--;
  return all.slice(start).join('');
}

/** Breaks text into lines of at most `width` cells, at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    // A window, so that a long text is not measured again for every line.
    const window = rest.slice(0, width * 40);
    const head = headOf(window, width) || firstCluster(window);
    if (head.length === rest.length) return [...lines, rest];
    const space = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    const cut = space > 0 ? space : head.length;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
}

/** Returns the longest start of the text that fits the width. Characters are not split. */
export function headOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, width));
  let left = width;
  let length = 0;
  for (const cluster of joins().test(text) ? clusters(text) : text) {
    left -= clusterWidth(cluster);
    if (left < 0) return text.slice(0, length);
    length += cluster.length;
  }
  return text;
}

/** Returns the first grapheme cluster of a text. */
export function firstCluster(text: string): string {
  for (const cluster of clusters(text)) return cluster;
  return '';
}

function* clusters(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text))
    yield segment;
}

function clusterWidth(cluster: string): number {
  if (wideEmoji().test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width += zeroWidth().test(character) ? 0 : wide().test(character) ? 2 : 1;
  return width;
}
