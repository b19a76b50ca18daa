import type { Place } from '../../richtext/yaml-tree.ts';

export type { Place };

/** The place of a file as a whole, or of what comes from no file: `--var name`. */
export function wholeFile(file: string): Place {
  return { file, line: 0, column: 0 };
}

/** `org.yaml:3:5`, as editors and terminals make a link of it. */
export function printPlace({ file, line, column }: Place): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}

/** The place of a node: its tag where it has one, else its first character. */
export function placeOf(node: { readonly at: Place }): Place {
  return node.at;
}
