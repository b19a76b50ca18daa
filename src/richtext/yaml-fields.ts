import { Document, isCollection, isMap, isScalar, parseDocument, YAMLMap } from 'yaml';
import { groupBy } from '../contract/values.ts';

/** A value that a field can be set to. */
export type YamlValue =
  | string
  | number
  | boolean
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/** The path of keys to a field, and its new value. Undefined deletes it. */
export type YamlChange = readonly [path: readonly [string, ...string[]], value: YamlValue | undefined];

const schema = { schema: 'core', uniqueKeys: false } as const;

/**
 * Sets fields in the top-level map of a document. Only changed top-level fields are written again; the others, and the comments
 * around them, do not change. A map without fields is removed. Returns an empty text if nothing is left. The text must have
 * passed `parseYaml`, which checks its depth.
 */
export function setYamlFields(text: string, changes: readonly YamlChange[]): string {
  let written = text;
  for (const [, own] of groupBy(changes, ([path]) => path[0])) written = setField(written, own);
  return written.trim() === '' ? '' : written;
}

/** Applies the changes of one top-level field. */
function setField(text: string, changes: readonly YamlChange[]): string {
  const parsed = parseDocument(text, schema);
  const { contents } = parsed;
  if (isMap(contents) && contents.flow === true) {
    // A field in braces is one value.
    for (const change of changes) changeIn(parsed, change);
    return contents.items.length === 0 ? '' : parsed.toString({ lineWidth: 0 });
  }
  const [key] = changes[0]?.[0] ?? [''];
  const pair = isMap(contents)
    ? contents.items.findLast((item) => isScalar(item.key) && item.key.value === key)
    : undefined;
  const start = pair?.key.range[0] ?? text.length;
  const end = pair === undefined ? start : endOfLine(text, (pair.value ?? pair.key).range[1]);
  const own = new Document(undefined, schema);
  const fields = new YAMLMap(own.schema);
  own.contents = fields as never;
  if (pair !== undefined) {
    // The comment before a field stays at its place.
    Object.assign(pair.key, { commentBefore: null, spaceBefore: false });
    fields.items.push(pair);
  }
  for (const change of changes) changeIn(own, change);
  const isListFlat = /^[^\n]*:[^\n]*\n- /.test(text.slice(start, end));
  const field = fields.items.length === 0 ? '' : own.toString({ lineWidth: 0, indentSeq: !isListFlat });
  const gap = field === '' || start === 0 || text[start - 1] === '\n' ? '' : '\n';
  return text.slice(0, start) + gap + field + text.slice(end);
}

function changeIn(document: Document, [path, value]: YamlChange): void {
  if (value === undefined) {
    deleteIn(document, path);
    return;
  }
  for (let length = 1; length < path.length; length++) {
    const around = path.slice(0, length);
    if (document.hasIn(around) && !isCollection(document.getIn(around)))
      document.setIn(around, document.createNode({}));
  }
  const before: unknown = document.getIn(path, true);
  const node = document.createNode(value);
  // A text keeps its quotes, and every value keeps the comment after it.
  if (isScalar(before) && isScalar(node)) {
    if (typeof before.value === 'string' && typeof node.value === 'string' && !node.value.includes('\n'))
      Object.assign(node, before.type?.startsWith('BLOCK') === true ? {} : { type: before.type });
    Object.assign(node, { comment: before.comment });
  }
  document.setIn(path, node);
}

/** Deletes a field, and the enclosing maps that have no fields afterwards. */
function deleteIn(document: Document, path: readonly string[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const outer = path.slice(0, -1);
  const around: unknown = outer.length === 0 ? undefined : document.getIn(outer);
  if (isMap(around) && around.items.length === 0) deleteIn(document, outer);
}

/** Returns the offset after the line in which a value ends. For a block scalar, this is after its last line. */
function endOfLine(text: string, valueEnd: number): number {
  if (valueEnd > 0 && text[valueEnd - 1] === '\n') return valueEnd;
  const newline = text.indexOf('\n', valueEnd);
  return newline === -1 ? text.length : newline + 1;
}
