import { checkNode } from './read/check-node.ts';
import { Faults } from './read/faults.ts';
import { fromJson } from './read/json.ts';
import { secretNode, type ManifestNode } from './read/node.ts';
import { branchesOf, isSecretSchema, schemaIn, typeOf, type Schema } from './read/schema.ts';
import { wholeFile } from './read/source-location.ts';
import { isReference, isSecret } from './value.ts';

const at = wholeFile('the plan');

/** Whether a manifest could have stated a value of a plan: it fits the schema, and secrets stand only where they stay hidden. */
export function fitsSchema(value: unknown, schema: Schema): boolean {
  return (
    hasOnlyPlanMarks(value) &&
    keepsSecrets(value, schema) &&
    faultsOf(fromJson(value, at, nodeOfMark), schema).count === 0
  );
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

/** Whether each secret in a value stands where it stays hidden; without a schema, none may be there. */
export function keepsSecrets(value: unknown, schema: Schema | undefined): boolean {
  if (schema !== undefined && typeOf(schema) === 'union')
    return branchesOf(schema).some((branch) => keepsSecrets(value, branch));
  if (isSecret(value)) return schema !== undefined && isSecretSchema(schema);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => keepsSecrets(inner, schemaIn(schema, name)));
}

function isMark(value: object): boolean {
  return Object.keys(value).some((name) => name.startsWith('docsctl:'));
}

function hasOnlyPlanMarks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!isMark(value)) return Object.values(value).every(hasOnlyPlanMarks);
  const size = Object.keys(value).length;
  if (isReference(value)) return size === 1;
  // Without its hash, a secret of anything that can be read could be sent in its place.
  return isSecret(value) && size === 2 && /^[0-9a-f]{64}$/.test(value.hash ?? '');
}

function nodeOfMark(mark: object): ManifestNode | undefined {
  if (isSecret(mark)) return secretNode(at, '', mark['docsctl:secret']);
  if (!isReference(mark)) return undefined;
  const [kind = '', ...name] = mark['docsctl:ref'].split('.');
  return { kind: 'ref', at, to: { kind, name: name.join('.') } };
}
