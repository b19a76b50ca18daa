import { pointerToken } from '../../contract/paths.ts';
import { forbiddenNames } from '../../conditions/condition-node.ts';
import { Problem, type Violation } from '../../errors/problem.ts';
import { describeViolations } from '../../contract/check.ts';
import { isRecord } from '../../contract/values.ts';

const unsignedDescription = 'Unsigned claims of the site visitor.';

/** Limits of an adaptive schema: nesting levels, claims, characters, and values of an enum. */
const limits = {
  depth: 5,
  claims: 500,
  name: 100,
  description: 1024,
  values: 100,
  value: 256,
} as const;

/** The additional fields of a claim, by its type. */
const claimFields = new Map<unknown, readonly string[]>([
  ['string', ['enum']],
  ['array', ['items']],
  ['object', ['properties', 'additionalProperties']],
]);

/** Checks the claims of an adaptive schema. @throws Problem(invalid-input) with at most 10 violations */
export function checkClaims(properties: Record<string, unknown>): void {
  const violations: Violation[] = [];
  const seen = { claims: 0 };
  for (const violation of checkProperties(properties, '/body/jsonSchema/properties', 1, seen)) {
    violations.push(violation);
    if (violations.length === 10) break;
  }
  if (violations.length === 0) return;
  const faults = describeViolations(violations, '/body/jsonSchema');
  throw new Problem('invalid-input', `The adaptive schema is not valid: ${faults}.`, {
    violations,
    hint: 'Write each claim like {"type": "boolean", "description": "…"}. Other types: number, string (with an optional enum), array (with items) and object (with properties and additionalProperties: false).',
  });
}

function* checkProperties(
  properties: Record<string, unknown>,
  at: string,
  depth: number,
  seen: { claims: number },
): Generator<Violation> {
  if (depth > limits.depth)
    return yield { path: at, message: `must not nest claims more than ${limits.depth} levels deep` };
  for (const [name, claim] of Object.entries(properties)) {
    const path = `${at}/${pointerToken(name).slice(0, limits.name)}`;
    if (++seen.claims > limits.claims)
      return yield { path: at, message: `exceeds the limit of ${limits.claims} claims in a schema` };
    if (name === '' || name.length > limits.name || forbiddenNames.has(name))
      yield {
        path,
        message: `must have a name of 1 to ${limits.name} characters, and none of ${[...forbiddenNames].join(', ')}`,
      };
    if (!isRecord(claim)) yield { path, message: 'must be an object' };
    else yield* checkClaim(claim, path, depth, seen);
    if (depth === 1 && name === 'unsigned' && isRecord(claim)) yield* checkUnsigned(claim, path);
  }
}

function* checkUnsigned(claim: Record<string, unknown>, path: string): Generator<Violation> {
  if (claim['type'] !== 'object') yield { path: `${path}/type`, message: 'must be "object"' };
  if (claim['description'] !== unsignedDescription)
    yield { path: `${path}/description`, message: `must be "${unsignedDescription}"` };
}

function* checkClaim(
  claim: Record<string, unknown>,
  path: string,
  depth: number,
  seen: { claims: number },
  isItem = false,
): Generator<Violation> {
  const type = claim['type'];
  const known = [
    'type',
    'description',
    ...(isItem && type !== 'string' ? [] : (claimFields.get(type) ?? [])),
  ];
  for (const field of Object.keys(claim)) {
    if (!known.includes(field))
      yield { path: `${path}/${field.slice(0, 100)}`, message: 'is not a known field' };
  }
  const description = claim['description'];
  if (typeof description !== 'string' || description.length > limits.description)
    yield {
      path: `${path}/description`,
      message: `${description === undefined ? 'is required and ' : ''}must be a string of at most ${limits.description} characters`,
    };
  if (type === 'string' && claim['enum'] !== undefined) yield* checkEnum(claim['enum'], `${path}/enum`);
  else if (type === 'array' && !isItem)
    yield* isRecord(claim['items'])
      ? checkClaim(claim['items'], `${path}/items`, depth, seen, true)
      : [{ path: `${path}/items`, message: 'is required' }];
  else if (type === 'object' && !isItem) yield* checkObject(claim, path, depth, seen);
  else if (type !== 'boolean' && type !== 'string' && type !== 'number')
    yield {
      path: `${path}/type`,
      message: `must be one of: boolean, string, number${isItem ? '' : ', array, object'}`,
    };
}

function* checkObject(
  claim: Record<string, unknown>,
  path: string,
  depth: number,
  seen: { claims: number },
): Generator<Violation> {
  if (claim['additionalProperties'] !== false)
    yield { path: `${path}/additionalProperties`, message: 'must be false' };
  if (isRecord(claim['properties']))
    yield* checkProperties(claim['properties'], `${path}/properties`, depth + 1, seen);
  else yield { path: `${path}/properties`, message: 'is required' };
}

function* checkEnum(values: unknown, path: string): Generator<Violation> {
  if (!Array.isArray(values) || values.length === 0 || values.length > limits.values)
    return yield { path, message: `must be a list of 1 to ${limits.values} strings` };
  if (new Set(values).size < values.length) yield { path, message: 'must not contain a value twice' };
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'string' || value.length > limits.value)
      yield { path: `${path}/${index}`, message: `must be a string of at most ${limits.value} characters` };
  }
}
