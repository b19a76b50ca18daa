import { isObject, isRecord } from '../contract/values.ts';

/** The location of a value in a record: the name of a field or column, or the steps to it. */
export interface FieldPath {
  /** The path as the user wrote it. */
  readonly text: string;
  /** The path without its leading dot. A field or column with exactly this name takes precedence over the steps. */
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

/**
 * Parses a path such as `.ticket`, `.requester.name`, `.messages[0].text`, `."odd key"` or `Ticket ID`. Returns
 * undefined if it is invalid.
 */
export function parsePath(text: string): FieldPath | undefined {
  const name = text.startsWith('.') ? text.slice(1) : text;
  if (name === '' || text.length > 1000) return undefined;
  const step = /\.?(?:([^.[\]"]+)|"((?:[^"\\]|\\["\\])*)"|\[(\d{1,9})\]|\["((?:[^"\\]|\\["\\])*)"\])/y;
  const steps: (string | number)[] = [];
  let at = 0;
  while (at < text.length) {
    step.lastIndex = at;
    const found = step.exec(text);
    if (found === null) break;
    const [, plain, quotedName, index, quotedIndex] = found;
    const quoted = quotedName ?? quotedIndex;
    steps.push(plain ?? (quoted === undefined ? Number(index) : quoted.replaceAll(/\\(["\\])/g, '$1')));
    at = step.lastIndex;
  }
  // The name of a column may contain anything. A path that cannot be split into steps is such a name.
  if (at < text.length) return text.startsWith('.') ? undefined : { text, name, steps: [] };
  return { text, name, steps };
}

/** Returns the value at a path, or undefined if there is none. */
export function valueAtPath(record: unknown, { name, steps }: FieldPath): unknown {
  if (isRecord(record) && Object.hasOwn(record, name)) return record[name];
  if (steps.length === 0) return undefined;
  let value = record;
  for (const next of steps) {
    if (!isObject(value) || !Object.hasOwn(value, next)) return undefined;
    value = (value as Record<string | number, unknown>)[next];
  }
  return value;
}
