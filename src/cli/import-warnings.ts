import type { Warning } from '../content-sync/folder.ts';
import { unlistedMessage } from '../content-sync/read-folder.ts';

/** The most lines, and the most names in one of them. */
const mostLines = 30;
const mostNames = 5;

/** What a folder is warned of, as lines: files outside the table of contents together, of everything else the first. */
export function linesOfWarnings(warnings: readonly Warning[]): string[] {
  const unlisted = warnings
    .filter(({ message }) => message === unlistedMessage)
    .map(({ file }) => oneLine(file));
  const others = warnings.filter(({ message }) => message !== unlistedMessage);
  const lines = others
    .slice(0, mostLines)
    .map(
      ({ file, line, message }) =>
        `warning: ${oneLine(file)}${line === 0 ? '' : `:${line}`}: ${oneLine(message)}`,
    );
  if (others.length > mostLines)
    lines.push(`… and ${others.length - mostLines} more warnings; -o json gives all of them.`);
  if (unlisted.length > 0) lines.push(`warning: ${lineOfUnlisted(unlisted)}`);
  return lines;
}

function lineOfUnlisted(files: readonly string[]): string {
  const what =
    files.length === 1
      ? 'Markdown file is not in the table of contents and is'
      : 'Markdown files are not in the table of contents and are';
  const more = files.length > mostNames ? ` and ${files.length - mostNames} more` : '';
  return `${files.length} ${what} left out (--unlisted hidden brings ${files.length === 1 ? 'it' : 'them'}): ${files.slice(0, mostNames).join(', ')}${more}`;
}

/** A name may have line ends; a warning is one line. */
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}
