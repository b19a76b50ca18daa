import { isObject, isRecord } from './values.ts';

const objects = new Set(['block', 'inline', 'text', 'leaf', 'fragment']);
/** Keys of data that would override how an object is converted to text, so that the conversion fails. */
const unmakeable = ['toString', 'valueOf'];

/**
 * Whether a value is a list of nodes of a rich document, at all levels (docs/api-operations.md, Conventions 6). Works without
 * recursion.
 */
export function areRichNodes(value: unknown): boolean {
  const open: unknown[] = [value];
  const data: unknown[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!Array.isArray(next)) return false;
    for (const node of next as unknown[]) {
      if (
        !isRecord(node) ||
        !objects.has(node['object'] as string) ||
        !['type', 'key', 'fragment', 'text'].every((name) => isAbsentOr('string', node[name]))
      )
        return false;
      if (
        !isAbsentOr('boolean', node['isVoid']) ||
        !areLeaves(node['leaves'], data) ||
        !isData(node['data'], data)
      )
        return false;
      for (const inner of [node['nodes'], node['fragments']]) if (inner !== undefined) open.push(inner);
    }
  }
  return areMakeable(data);
}

function areLeaves(value: unknown, data: unknown[]): boolean {
  if (value === undefined) return true;
  const isMark = (mark: unknown) =>
    isRecord(mark) && typeof mark['type'] === 'string' && isData(mark['data'], data);
  const isLeaf = (leaf: unknown) =>
    isRecord(leaf) &&
    isAbsentOr('string', leaf['text']) &&
    (leaf['marks'] === undefined || (Array.isArray(leaf['marks']) && leaf['marks'].every(isMark)));
  return Array.isArray(value) && value.every(isLeaf);
}

function isData(value: unknown, data: unknown[]): boolean {
  if (value === undefined) return true;
  data.push(value);
  return isRecord(value);
}

function areMakeable(open: unknown[]): boolean {
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next)) continue;
    if (!Array.isArray(next) && unmakeable.some((key) => Object.hasOwn(next, key))) return false;
    for (const inner of Object.values(next)) if (inner !== undefined) open.push(inner);
  }
  return true;
}

function isAbsentOr(type: 'string' | 'boolean', value: unknown): boolean {
  return value === undefined || typeof value === type;
}
