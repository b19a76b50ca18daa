import type { SourceLocation } from '../../richtext/yaml-tree.ts';

export type { SourceLocation };

/** The place of a file as a whole, or of what comes from no file: `--var name`. */
export function wholeFile(file: string): SourceLocation {
  return { file, line: 0, column: 0 };
}

/** `org.yaml:3:5`, as editors and terminals make a link of it. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}
