import { displayWidth } from './width.ts';

/** Matches commands in backquotes with adjacent characters, and other words. None of them is split. */
const words = /[^\s`]*`[^`\n]*`\S*|\S+/g;
/** Matches a line with a command to paste, or its options. */
const commandLine = /^\s*(?:docsctl|--?\w)/;

/**
 * Wraps the long lines of a message between words. Commands in backquotes and URLs are not split, even if they are longer than a
 * line, so that they can be copied. Further lines are indented.
 */
export function wrapMessage(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (displayWidth(line) <= width || commandLine.test(line) ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const next = indent === '' ? '  ' : indent;
  const lines: string[] = [];
  let current = '';
  let end = 0;
  for (const match of line.matchAll(words)) {
    const [word] = match;
    const space = line.slice(end, match.index);
    end = match.index + word.length;
    if (current !== '' && displayWidth(current + space + word) > width && current.trim() !== '') {
      lines.push(current);
      current = next + word;
    } else current += space + word;
  }
  return [...lines, current].join('\n');
}
