/** A message about a line of a file, which GitHub shows beside that line. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  /** Relative to the repository; without one, GitHub shows the message above the files. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/**
 * Writes an annotation as a workflow command of GitHub.
 * Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function writeAnnotation({ level, file, line, column, message }: Annotation): string {
  const properties =
    file === undefined
      ? []
      : [
          `file=${escapeProperty(file)}`,
          ...(line === undefined ? [] : [`line=${line}`]),
          ...(column === undefined ? [] : [`col=${column}`]),
        ];
  return `::${[level, ...(properties.length === 0 ? [] : [properties.join(',')])].join(' ')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
