import { isObject } from '../contract/values.ts';
import { checkNode } from './read/check-node.ts';
import { Faults, wholeFile } from './read/faults.ts';
import { fromJson } from './read/json.ts';
import type { ManifestNode } from './read/node.ts';
import type { Schema } from './read/schema.ts';
import { isReference } from './value.ts';

const at = wholeFile('the plan');

/** Whether a manifest can state a value of a plan: it fits the schema, and its only marks are references. */
export function fitsSchema(value: unknown, schema: Schema): boolean {
  return hasOnlyReferences(value) && faultsOf(fromJson(value, at, nodeOfMark), schema).count === 0;
}

/** Returns why a manifest cannot state a value of the backend. */
export function whyNotAccepted(value: unknown, schema: Schema): string | undefined {
  const [first] = faultsOf(fromJson(value, at), schema).violations;
  return first === undefined ? undefined : `a manifest does not allow the current value: ${first.message}`;
}

function faultsOf(node: ManifestNode, schema: Schema): Faults {
  const faults = new Faults();
  checkNode(node, schema, faults);
  return faults;
}

function hasOnlyReferences(value: unknown): boolean {
  if (!isObject(value)) return true;
  const names = Object.keys(value);
  return names.some((name) => name.startsWith('docsctl:'))
    ? isReference(value) && names.length === 1
    : Object.values(value).every(hasOnlyReferences);
}

function nodeOfMark(mark: object): ManifestNode | undefined {
  if (!isReference(mark)) return undefined;
  const [kind = '', ...name] = mark['docsctl:ref'].split('.');
  return { kind: 'ref', at, to: { kind, name: name.join('.') } };
}
