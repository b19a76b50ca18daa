import type { SourceLocation } from '../../richtext/yaml-tree.ts';

export type { SourceLocation };

/** Locates a file as a whole, or something outside of files: `--var name`. */
export function wholeFile(file: string): SourceLocation {
  return { file, line: 0, column: 0 };
}

/** Formats a location as `org.yaml:3:5`, which editors and terminals make a link of. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}
