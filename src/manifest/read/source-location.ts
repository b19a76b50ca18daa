import type { SourceLocation } from '../../richtext/yaml-tree.ts';

export type { SourceLocation };

/** Returns the location of a whole file, or of something outside of files, such as `--var name`. */
export function wholeFile(file: string): SourceLocation {
  return { file, line: 0, column: 0 };
}

/** Formats a location as `org.yaml:3:5`, which editors and terminals turn into a link. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}
