import { formatName, hasFormat, patternMessage } from '../../contract/check.ts';
import { hasAtMost } from '../../contract/values.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Faults } from './faults.ts';
import type { ManifestNode } from './node.ts';
import { choicesOf, isIdSchema, type Scalar, type Schema } from './schema.ts';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Checks one plain value, or the ref, lookup or file in its place. Messages do not contain the value. */
export function checkScalar(node: ManifestNode, schema: Schema, faults: Faults): ManifestNode {
  const wrong = faultOf(node, schema);
  if (wrong !== undefined) faults.add(node.at, wrong);
  return node;
}

function faultOf(node: ManifestNode, schema: Schema): string | undefined {
  switch (node.kind) {
    case 'ref':
    case 'lookup':
      return isIdSchema(schema) ? undefined : `!${node.kind} is not allowed here; expected ${wanted(schema)}`;
    case 'file':
      return takesText(schema)
        ? faultOfValue(node.text, schema)
        : `!file inserts text; expected ${wanted(schema)}`;
    case 'scalar':
      return node.value === null ? 'null is not allowed here' : faultOfValue(node.value, schema);
    default:
      return `a ${node.kind} is not allowed here; expected ${wanted(schema)}`;
  }
}

function takesText(schema: Schema): boolean {
  return choicesOf(schema)?.some((choice) => typeof choice === 'string') ?? schema.type === 'string';
}

function faultOfValue(value: Scalar, schema: Schema): string | undefined {
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return choices.includes(value) ? undefined : notAmong(value, choices.map(String));
  if (schema.type === 'integer' ? !Number.isInteger(value) : typeof value !== schema.type)
    return `${shown(value)} must be ${wanted(schema)}${typeHint(value, schema)}`;
  if (typeof value === 'string') return faultOfText(value, schema);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (Number(value) < minimum) return `${value} must be at least ${minimum}`;
  return Number(value) > maximum ? `${value} must be at most ${maximum}` : undefined;
}

function faultOfText(text: string, schema: Schema): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  if (!hasAtMost(maxLength, text))
    return `this text is ${[...text].length} characters long; at most ${maxLength} are allowed`;
  if (hasAtMost(minLength - 1, text))
    return minLength === 1 ? 'must not be empty' : `"${text}" must have at least ${minLength} characters`;
  // The length is checked first, because matching a pattern against megabytes is slow.
  if (pattern !== undefined && (text.length > 65_536 || !new RegExp(pattern).test(text))) {
    const message = patternMessage({ ...schema });
    return message.startsWith('does not match ') ? `must match ${pattern}` : `${shown(text)} ${message}`;
  }
  return format !== undefined && !hasFormat(text, format)
    ? `${shown(text)} is not a valid ${formatName(format)}`
    : undefined;
}

/** Returns a value of a manifest for an error; a text is in quotes. */
function shown(value: Scalar): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);
}

function notAmong(value: Scalar, choices: readonly string[]): string {
  const [only, second] = choices;
  if (second === undefined)
    return only === 'true' ? 'can only be true; if it is not, leave out this field' : `must be ${only}`;
  const [close] = typeof value === 'string' ? nearest(value, choices) : [];
  return `${shown(value)} is not one of: ${choices.join(', ')}${close === undefined ? '' : `; did you mean ${close}?`}`;
}

function typeHint(value: Scalar, { type }: Schema): string {
  if (type === 'string') return '; put it in quotes';
  if (type === 'boolean' && typeof value === 'string' && /^(yes|no|on|off|true|false)$/i.test(value))
    return '; write true or false without quotes (yes, no, on and off are plain text in YAML 1.2)';
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
    ? '; remove the quotes'
    : '';
}

function wanted(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices === undefined) return typeNames[schema.type ?? ''] ?? '';
  return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`;
}
