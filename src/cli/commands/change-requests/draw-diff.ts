import { escapeControls } from '../../output/escape-controls.ts';
import { drawHunks, patchText, type Hunk } from '../../output/diff.ts';
import type { Styler, Style } from '../../output/style.ts';
import { displayWidth, pad, truncate } from '../../output/width.ts';

/** A page, file or other text that differs, ready to be shown. */
export interface ShownPart {
  /** Where it lies in a folder on each side; undefined where it is not there. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, before: string, after: string])[];
  /** What differs in its lines; undefined for what has none. */
  readonly hunks?: readonly Hunk[] | undefined;
  /** Bytes of a file on each side. */
  readonly sizes?: readonly [before: number | undefined, after: number | undefined] | undefined;
}

const colors: Readonly<Record<string, Style>> = { A: 'green', D: 'red', M: 'yellow', R: 'cyan' };

/** A part for a terminal: one line on what it is, the fields that differ, the lines that differ. */
export function drawPart(part: ShownPart, ink: Styler): string {
  const status = statusOf(part);
  const size = part.sizes === undefined ? '' : ` ${ink(sizesOf(part.sizes), ['dim'])}`;
  const head = `${ink(status, ['bold', colors[status]!])} ${ink(pathsOf(part), ['bold'])} ${ink(titleOf(part), ['dim'])}${size}\n`;
  const fields = part.fields.map(
    ([name, before, after]) =>
      `  ${name}: ${ink(escapeControls(before), ['red'])} → ${ink(escapeControls(after), ['green'])}\n`,
  );
  return `${head}${fields.join('')}${drawHunks(part.hunks ?? [], ink)}`;
}

/** A part as `git apply` and `patch -p1` read it; what is not about lines stands in front of it, where both skip it. */
export function patchPart(part: ShownPart): string {
  const size = part.sizes === undefined ? '' : ` ${sizesOf(part.sizes)}`;
  const notes = [
    `${statusOf(part)} ${pathsOf(part)} ${titleOf(part)}${size}`,
    ...part.fields.map(
      ([name, before, after]) => `  ${name}: ${escapeControls(before)} → ${escapeControls(after)}`,
    ),
  ];
  return (
    notes.map((note) => `# ${note}\n`).join('') + (part.hunks === undefined ? '' : patchOf(part, part.hunks))
  );
}

function patchOf({ before, after }: ShownPart, hunks: readonly Hunk[]): string {
  const isRename = before !== undefined && after !== undefined && before !== after;
  if (hunks.length === 0 && before !== undefined && !isRename && after !== undefined) return '';
  const from = quoted('a/', before ?? after!);
  const to = quoted('b/', after ?? before!);
  const mode =
    before === undefined ? 'new file mode 100644\n' : after === undefined ? 'deleted file mode 100644\n' : '';
  const rename = isRename ? `rename from ${quoted('', before)}\nrename to ${quoted('', after)}\n` : '';
  const names =
    hunks.length === 0
      ? ''
      : `--- ${before === undefined ? '/dev/null' : from}\n+++ ${after === undefined ? '/dev/null' : to}\n`;
  return `diff --git ${from} ${to}\n${mode}${rename}${names}${patchText(hunks)}`;
}

/** How much of each part differs, as a bar, and the sums. */
export function drawStat(
  parts: readonly (ShownPart & { readonly added: number; readonly removed: number })[],
  { columns, ink }: { readonly columns: number; readonly ink: Styler },
): string {
  const names = parts.map(pathsOf);
  const numbers = parts.map(({ sizes, added, removed }) =>
    sizes === undefined ? String(added + removed) : sizesOf(sizes),
  );
  const counts = parts.reduce(
    (most, { sizes }, index) => (sizes === undefined ? Math.max(most, numbers[index]!.length) : most),
    1,
  );
  const widest = names.reduce((most, name) => Math.max(most, displayWidth(name)), 0);
  const named = Math.min(widest, Math.max(20, Math.floor(columns * 0.6)));
  const room = Math.max(10, columns - named - counts - 6);
  const most = parts.reduce((sum, { added, removed }) => Math.max(sum, added + removed), 0);
  const bar = (count: number) =>
    count === 0 ? 0 : Math.max(1, most <= room ? count : Math.floor((count * room) / most));
  const rows = parts.map(({ added, removed }, index) => {
    const bars = `${ink('+'.repeat(bar(added)), ['green'])}${ink('-'.repeat(bar(removed)), ['red'])}`;
    return ` ${pad(truncate(names[index]!, named), named)} | ${numbers[index]!.padStart(counts)} ${bars}`.trimEnd();
  });
  const sum = (name: 'added' | 'removed') => parts.reduce((total, part) => total + part[name], 0);
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  return [
    ...rows,
    ` ${plural(parts.length, 'page or file').replace('page or files', 'pages and files')} changed, ${plural(sum('added'), 'insertion')}(+), ${plural(sum('removed'), 'deletion')}(-)`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function statusOf({ before, after }: ShownPart): string {
  return before === undefined ? 'A' : after === undefined ? 'D' : before === after ? 'M' : 'R';
}

function pathsOf({ before, after }: ShownPart): string {
  return before === undefined || after === undefined || before === after
    ? escapeControls(after ?? before!)
    : `${escapeControls(before)} → ${escapeControls(after)}`;
}

function titleOf({ title }: ShownPart): string {
  return `"${escapeControls(title)}"`;
}

function sizesOf([before, after]: readonly [number | undefined, number | undefined]): string {
  return before === undefined
    ? `${after} bytes`
    : after === undefined
      ? `${before} → 0 bytes`
      : `${before} → ${after} bytes`;
}

/** A path as git writes it: in quotes, with escapes, where it holds what would end the name or the line. */
function quoted(side: string, path: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '"': '\\"',
    '\\': '\\\\',
  };
  const escaped = path.replace(
    /["\\\p{Cc}]/gu,
    (character) => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped === path ? side + path : `"${side}${escaped}"`;
}
