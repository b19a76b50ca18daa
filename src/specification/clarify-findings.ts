import { isObject, isRecord } from '../contract/values.ts';
import { describeMistake } from './describe-mistake.ts';
import { isVersion31 } from './specification-tree.ts';
import type { Finding } from './specification.ts';

const nameRule = 'the name of a component can contain only letters, digits, ".", "-" and "_"';
/** Pairs of mutually exclusive fields of an object. */
const exclusiveFields = [
  ['identifier', 'url'],
  ['example', 'examples'],
  ['schema', 'content'],
  ['value', 'externalValue'],
] as const;

/** Removes false and duplicate findings of the library, and rewrites the others so that they say what to do. */
export function clarifyFindings(value: Record<string, unknown>, findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const message = clarifyMessage(value, finding, findings);
    const key = `${finding.pointer.join('\n')}\n${message}`;
    if (message === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ ...finding, message }];
  });
}

/** Rewrites one message. Returns undefined if it is a false finding, or another finding already reports it. */
function clarifyMessage(
  value: Record<string, unknown>,
  { message, pointer }: Finding,
  all: readonly Finding[],
): string | undefined {
  const node = pointer.reduce<unknown>((at, token) => (isObject(at) ? at[token] : undefined), value);
  const isReported = (test: (other: string) => boolean) => all.some((other) => test(other.message));
  // The library does not count an empty map, but the schema of 3.1 does.
  if (message.includes('at least one entry in either'))
    return ['paths', 'webhooks', 'components'].some((field) => isRecord(value[field])) ? undefined : message;
  if (message.includes('listed as required but does not exist'))
    return isNoObject(node) ? undefined : message;
  // Definitions of Swagger 2.0, and values of extensions, may have any name.
  if (/has an invalid name\b/.test(message))
    return /^`\/(definitions\/|components\/x-)/.test(message) ? undefined : nameRule;
  if (message.startsWith('must match pattern "^[a-zA-Z0-9._-]+$"')) return nameRule;
  if (message === 'must be string' && (typeof node === 'number' || typeof node === 'boolean'))
    return `must be a string: write it in quotes, as "${sourceOf(node, pointer)}"`;
  if (message.startsWith('must NOT be valid')) return describeExclusion(node) ?? message;
  if (pointer.length === 0 && message === "must have required property 'paths'" && isVersion31(value))
    return 'OpenAPI 3.1 requires "paths", "webhooks" or "components"';
  if (message.includes('there is no corresponding')) {
    const [, name = ''] = /named (`[^`]*`)/.exec(message) ?? [];
    const start = `Found multiple \`path\` parameters named ${name}`;
    if (isReported((other) => other.startsWith(start))) return undefined;
  }
  const [, missing] = /is missing path parameter\(s\) for (`\{[^`]*\}`)$/.exec(message) ?? [];
  const end = `has multiple path placeholders named ${missing}`;
  if (missing !== undefined && isReported((other) => other.endsWith(end))) return undefined;
  return describeMistake(message, node, pointer) ?? message;
}

/** Whether a schema is not for objects, so that no properties can be missing. */
function isNoObject(node: unknown): boolean {
  const schema = isRecord(node) && isRecord(node['schema']) ? node['schema'] : node;
  return isRecord(schema) && typeof schema['type'] === 'string' && schema['type'] !== 'object';
}

/** Returns the probable source text of a scalar: YAML parses the version 1.0 as the number 1. */
function sourceOf(node: number | boolean, pointer: readonly string[]): string {
  const isVersion = ['version', 'swagger', 'openapi'].includes(pointer.at(-1) ?? '');
  return isVersion && Number.isInteger(node) ? `${String(node)}.0` : String(node);
}

function describeExclusion(node: unknown): string | undefined {
  if (!isRecord(node)) return undefined;
  const pair = exclusiveFields.find((fields) => fields.every((field) => Object.hasOwn(node, field)));
  return pair && `use either "${pair[0]}" or "${pair[1]}", not both`;
}
