import type { Neighbor } from '../../../content-sync/compare-content.ts';
import { plural } from '../../../contract/values.ts';
import type { Hunk } from '../../../richtext/diff-hunks.ts';
import { drawHunks, patchText } from '../../output/diff.ts';
import { escapeControls } from '../../output/escape-controls.ts';
import type { Style, Styler } from '../../output/style.ts';
import { displayWidth, pad, truncate } from '../../output/width.ts';

/** A page, file or other text that differs. */
export interface DiffPart {
  /** Its path after the change, or before it if it was deleted. */
  readonly path: string;
  /** Its path on each side; undefined if it does not exist there. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The old and new path of a page in its space, if they differ although its file keeps its path. */
  readonly places?: readonly [before: string, after: string] | undefined;
  readonly title: string;
  readonly neighbor?: Neighbor | undefined;
  readonly fields: readonly (readonly [name: string, before: string, after: string])[];
  /** The differing lines; undefined for a part without lines. */
  readonly hunks?: readonly Hunk[] | undefined;
  /** The size of a file on each side, in bytes. */
  readonly sizes?: readonly [before: number | undefined, after: number | undefined];
}

/** A part with the numbers of added and removed lines. */
export interface CountedPart extends DiffPart {
  readonly added: number;
  readonly removed: number;
}

/** Draws a part for a terminal: a title line, its changed properties, its changed lines. */
export function drawPart(part: DiffPart, style: Styler): string {
  const status = statusOf(part);
  const size = part.sizes === undefined ? '' : ` ${style(sizesOf(part.sizes), ['dim'])}`;
  const fields = part.fields.map(([name, before, after]) => {
    const [old, now] = [style(escapeControls(before), ['red']), style(escapeControls(after), ['green'])];
    return `  ${name}: ${old} → ${now}\n`;
  });
  const head = `${style(status, ['bold', colors[status]])} ${style(pathsOf(part), ['bold'])} ${style(titleOf(part), ['dim'])}${size}\n`;
  const order = part.neighbor === undefined ? '' : `  ${orderOf(part.neighbor)}\n`;
  return head + fields.join('') + order + drawHunks(part.hunks ?? [], style);
}

/** Writes a part for `git apply` and `patch -p1`. Changes outside of lines come first, where both tools ignore them. */
export function patchPart(part: DiffPart): string {
  const size = part.sizes === undefined ? '' : ` ${sizesOf(part.sizes)}`;
  const notes = [
    `${statusOf(part)} ${pathsOf(part)} ${titleOf(part)}${size}`,
    ...part.fields.map(
      ([name, before, after]) => `  ${name}: ${escapeControls(before)} → ${escapeControls(after)}`,
    ),
    ...(part.neighbor === undefined ? [] : [`  ${orderOf(part.neighbor)}`]),
  ];
  const patch = part.hunks === undefined ? '' : patchOf(part, part.hunks);
  return notes.map((note) => `# ${note}\n`).join('') + patch;
}

function patchOf({ path, before, after }: DiffPart, hunks: readonly Hunk[]): string {
  const isRename = before !== undefined && after !== undefined && before !== after;
  if (hunks.length === 0 && before !== undefined && before === after) return '';
  const from = quoted('a/', before ?? path);
  const to = quoted('b/', path);
  const mode =
    before === undefined ? 'new file mode 100644\n' : after === undefined ? 'deleted file mode 100644\n' : '';
  const rename = isRename ? `rename from ${quoted('', before)}\nrename to ${quoted('', after)}\n` : '';
  const names =
    hunks.length === 0
      ? ''
      : `--- ${before === undefined ? '/dev/null' : from}\n+++ ${after === undefined ? '/dev/null' : to}\n`;
  return `diff --git ${from} ${to}\n${mode}${rename}${names}${patchText(hunks)}`;
}

/** Draws the size of each difference as a bar, and the sums. `columns` is the width of the terminal. */
export function drawStat(parts: readonly CountedPart[], columns: number, style: Styler): string {
  const rows = parts.map((part) => {
    const { sizes, added, removed } = part;
    const number = sizes === undefined ? String(added + removed) : sizesOf(sizes);
    return { name: pathsOf(part), number, added, removed, isText: sizes === undefined };
  });
  const maxOf = (numbers: readonly number[]) => numbers.reduce((max, number) => Math.max(max, number), 0);
  const numberWidth = Math.max(1, maxOf(rows.map(({ isText, number }) => (isText ? number.length : 0))));
  const widest = maxOf(rows.map(({ name }) => displayWidth(name)));
  const nameWidth = Math.min(widest, Math.max(20, Math.floor(columns * 0.6)));
  const barWidth = Math.max(10, columns - nameWidth - numberWidth - 6);
  const max = maxOf(rows.map(({ added, removed }) => added + removed));
  const barOf = (sign: string, count: number) =>
    sign.repeat(
      count === 0 ? 0 : Math.max(1, max <= barWidth ? count : Math.floor((count * barWidth) / max)),
    );
  const lines = rows.map(({ name, number, added, removed }) => {
    const bars = style(barOf('+', added), ['green']) + style(barOf('-', removed), ['red']);
    return ` ${pad(truncate(name, nameWidth), nameWidth)} | ${number.padStart(numberWidth)} ${bars}`.trimEnd();
  });
  const sum = (name: 'added' | 'removed') => parts.reduce((total, part) => total + part[name], 0);
  const changed = plural(parts.length, 'page or file', 'pages and files');
  lines.push(
    ` ${changed} changed, ${plural(sum('added'), 'insertion')}(+), ${plural(sum('removed'), 'deletion')}(-)`,
  );
  return lines.map((line) => `${line}\n`).join('');
}

const colors = { A: 'green', D: 'red', M: 'yellow', R: 'cyan' } as const satisfies Record<string, Style>;

/** Returns git's letter for added, deleted, modified or renamed. */
function statusOf({ before, after, places }: DiffPart): keyof typeof colors {
  if (before === undefined) return 'A';
  if (after === undefined) return 'D';
  return before === after && places === undefined ? 'M' : 'R';
}

function pathsOf({ path, before = path, after = path, places }: DiffPart): string {
  if (places !== undefined) return places.map(escapeControls).join(' → ');
  return before === after ? escapeControls(path) : `${escapeControls(before)} → ${escapeControls(after)}`;
}

/** Describes the new place of a reordered page. */
function orderOf({ side, title }: Neighbor): string {
  return `moved ${side} "${escapeControls(title)}"`;
}

function titleOf({ title }: DiffPart): string {
  return `"${escapeControls(title)}"`;
}

function sizesOf([before, after]: readonly [number | undefined, number | undefined]): string {
  if (before === undefined) return `${after} bytes`;
  return after === undefined ? `${before} → 0 bytes` : `${before} → ${after} bytes`;
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Writes a path like git: in quotes with escapes if it contains characters that would end the name or the line. */
function quoted(side: string, path: string): string {
  const escaped = path.replace(
    /["\\\p{Cc}]/gu,
    (character) => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped === path ? side + path : `"${side}${escaped}"`;
}
