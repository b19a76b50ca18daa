import { hasFormat } from '../../contract/check.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Faults } from './faults.ts';
import type { MNode } from './node.ts';
import type { ScalarShape, ScalarType } from './shape.ts';

const words: Readonly<Record<ScalarType, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Checks one plain value, or the ref, lookup or file that stands for it. No message shows the value. */
export function checkScalar(node: MNode, shape: ScalarShape, faults: Faults): MNode {
  const wrong = wrongWith(node, shape);
  if (wrong !== undefined) faults.add(node.at, wrong);
  return node;
}

function wrongWith(node: MNode, shape: ScalarShape): string | undefined {
  switch (node.kind) {
    case 'ref':
    case 'lookup':
      return shape.id === true ? undefined : `!${node.kind} is not taken here: ${wanted(shape)} is wanted`;
    case 'file':
      return shape.types.includes('string')
        ? wrongValue(node.text, shape)
        : `!file gives a text, and ${wanted(shape)} is wanted`;
    case 'scalar':
      return node.value === null ? 'null is not taken here' : wrongValue(node.value, shape);
    default:
      return `a ${node.kind} stands where ${wanted(shape)} is wanted`;
  }
}

function wrongValue(value: string | number | boolean, shape: ScalarShape): string | undefined {
  if (shape.enum !== undefined && !shape.enum.includes(value)) return notInList(value, shape.enum);
  if (shape.enum === undefined && !shape.types.some((type) => isOf(value, type)))
    return `must be ${wanted(shape)}${typeHint(value, shape.types)}`;
  if (typeof value === 'number') return wrongNumber(value, shape);
  return typeof value === 'string' ? wrongText(value, shape) : undefined;
}

function wrongNumber(value: number, { minimum, maximum }: ScalarShape): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}

function wrongText(text: string, { minLength, maxLength, pattern, format }: ScalarShape): string | undefined {
  if (maxLength !== undefined && text.length > maxLength)
    return `is ${text.length} characters long; at most ${maxLength} are taken`;
  if (minLength !== undefined && text.length < minLength)
    return minLength === 1 ? 'must not be empty' : `is shorter than ${minLength} characters`;
  // Length first: a pattern is not run over a text of megabytes.
  if (pattern !== undefined && (text.length > 65_536 || !new RegExp(pattern).test(text)))
    return `must match ${pattern}`;
  return format !== undefined && !hasFormat(text, format) ? `is not a valid ${format}` : undefined;
}

function notInList(value: unknown, list: readonly unknown[]): string {
  const names = list.map(String);
  const [close] = typeof value === 'string' ? nearest(value, names) : [];
  return `must be one of: ${names.join(', ')}${close === undefined ? '' : `; did you mean ${close}?`}`;
}

function isOf(value: string | number | boolean, type: ScalarType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function typeHint(value: string | number | boolean, types: readonly ScalarType[]): string {
  if (types.includes('string')) return '; put it in quotes';
  if (types.includes('boolean') && typeof value === 'string' && /^(yes|no|on|off|true|false)$/i.test(value))
    return '; in YAML 1.2 yes, no, on, off and all that stands in quotes are texts';
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
    ? '; take the quotes off'
    : '';
}

function wanted({ types, enum: list }: ScalarShape): string {
  return list === undefined ? types.map((type) => words[type]).join(' or ') : 'one of a few words';
}
