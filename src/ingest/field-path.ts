import { isRecord } from '../contract/values.ts';
/** Where in a record a value is: the name of a field or column, or a way down to it. */
export interface FieldPath {
  /** As it was written. */
  readonly text: string;
  /** The same without the dot in front: a field or column of just this name comes first. */
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

/** Reads a path such as `.ticket`, `.requester.name`, `.messages[0].text`, `."odd key"` or `Ticket ID`; undefined when it is none. */
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
    const quoted = found[2] ?? found[4];
    steps.push(found[1] ?? (quoted === undefined ? Number(found[3]) : quoted.replaceAll(/\\(["\\])/g, '$1')));
    at = step.lastIndex;
  }
  // A column may have any name; it is then no way down.
  if (at < text.length) return text.startsWith('.') ? undefined : { text, name, steps: [] };
  return { text, name, steps };
}

/** What is at a path, undefined where there is nothing. */
export function valueAtPath(record: unknown, { name, steps }: FieldPath): unknown {
  if (isRecord(record) && Object.hasOwn(record, name)) return record[name];
  if (steps.length === 0) return undefined;
  let value = record;
  for (const next of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, next)) return undefined;
    value = (value as Record<string | number, unknown>)[next];
  }
  return value;
}

/** Whether a value is an object with fields. */
