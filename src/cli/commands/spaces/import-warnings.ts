import type { Warning } from '../../../content-sync/folder.ts';
import { unlistedMessage } from '../../../content-sync/read-folder.ts';
import { listSome } from '../../../contract/values.ts';

const maxWarnings = 30;

/** Describes the warnings of a folder: the first ones, and in one line the files that are not in the table of contents. */
export function describeWarnings(warnings: readonly Warning[]): string[] {
  const isUnlisted = ({ message }: Warning) => message === unlistedMessage;
  const unlisted = warnings.filter(isUnlisted).map(({ file }) => file);
  const others = warnings.filter((warning) => !isUnlisted(warning));
  const lines = others
    .slice(0, maxWarnings)
    .map(({ file, line, message }) => `warning: ${file}${line === 0 ? '' : `:${line}`}: ${message}`);
  if (others.length > maxWarnings)
    lines.push(`… and ${others.length - maxWarnings} more warnings; -o json prints all of them.`);
  if (unlisted.length > 0) {
    const [files, them] =
      unlisted.length === 1
        ? ['1 Markdown file is not in the table of contents and is', 'it']
        : [`${unlisted.length} Markdown files are not in the table of contents and are`, 'them'];
    lines.push(`warning: ${files} skipped (--unlisted hidden imports ${them}): ${listSome(unlisted)}`);
  }
  return lines;
}
