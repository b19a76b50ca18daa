import { findClaimPaths, type ClaimSchema } from './claims.ts';
import type { ConditionEvaluator } from './condition-evaluator.ts';
import { childNodes, type ConditionNode } from './condition-node.ts';
import { ConditionError } from './parse-condition.ts';
import type { Value } from './values.ts';

interface GeneratedVisitor {
  /** The claims in words: `plan=pro, beta`. */
  readonly name: string;
  readonly claims: Value;
}

interface Choice {
  readonly path: readonly string[];
  readonly value: Value;
}

const maxVisitors = 20;
const maxCombinations = 256;
const maxValues = 8;

/**
 * Generates visitors for whom the conditions differ: one for each value of each claim that a condition reads, and one for each
 * condition that makes it true. At most 20.
 */
export function generateVisitors(
  conditions: readonly string[],
  evaluator: ConditionEvaluator,
  schema: ClaimSchema | undefined,
): GeneratedVisitor[] {
  const visitors = new Map<string, GeneratedVisitor>();
  const add = (choices: readonly Choice[]): void => {
    const name = choices.map(nameOf).join(', ');
    if (visitors.size < maxVisitors && !visitors.has(name))
      visitors.set(name, { name, claims: claimsOf(choices) });
  };
  for (const condition of conditions) {
    const node = evaluator.parse(condition);
    if (node instanceof ConditionError) continue;
    const choices = choicesFor(node, schema);
    const fulfilling = combine(choices).find(
      (some) =>
        evaluator.evaluate(condition, { visitor: { claims: claimsOf(some) }, page: { vars: {} } }).shown,
    );
    if (fulfilling !== undefined && fulfilling.length > 0) add(fulfilling);
    for (const choice of choices.flat()) add([choice]);
  }
  return [...visitors.values()];
}

/** Returns the values to try for each claim that a condition reads. */
function choicesFor(node: ConditionNode, schema: ClaimSchema | undefined): Choice[][] {
  const literals = literalsIn(node);
  const paths = new Map(findClaimPaths(node).map((path) => [JSON.stringify(path), path]));
  return [...paths.values()].flatMap((path) => {
    const claim = path.reduce<ClaimSchema | undefined>((at, name) => at?.properties?.[name], schema);
    const values =
      schema === undefined
        ? [true, ...literals.flatMap((value) => [value, [value]])]
        : claim === undefined
          ? []
          : valuesOf(claim, literals);
    return values.length === 0 ? [] : [values.slice(0, maxValues).map((value) => ({ path, value }))];
  });
}

function valuesOf({ type, enum: known, items }: ClaimSchema, literals: readonly Value[]): Value[] {
  if (type === 'boolean') return [true, false];
  if (type === 'string') return [...(known ?? literals.filter((value) => typeof value === 'string'))];
  if (type === 'number') {
    const numbers = literals.filter((value) => typeof value === 'number');
    return [...new Set(numbers.flatMap((value) => [value, value + 1, value - 1]))];
  }
  if (type !== 'array' || items === undefined) return [];
  const inner = valuesOf(items, literals);
  return inner.length > 1
    ? [...inner.slice(0, maxValues - 1).map((value) => [value]), inner]
    : inner.map((value) => [value]);
}

/** Returns all combinations with at most one value of each claim, those with the fewest claims first. The first one is empty. */
function combine(choices: readonly (readonly Choice[])[]): Choice[][] {
  let combinations: Choice[][] = [[]];
  for (const values of choices) {
    const longer = combinations.flatMap((some) => values.map((choice) => [...some, choice]));
    combinations = [...combinations, ...longer].slice(0, maxCombinations);
  }
  return combinations.sort((one, other) => one.length - other.length);
}

function claimsOf(choices: readonly Choice[]): Value {
  const claims: Record<string, Value> = {};
  for (const { path, value } of choices) {
    let inner = claims;
    for (const name of path.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, Value>;
    inner[path.at(-1) ?? ''] = value;
  }
  return claims;
}

function nameOf({ path, value }: Choice): string {
  const claim = path.join('.');
  return value === true
    ? claim
    : `${claim}=${Array.isArray(value) ? value.map(String).join('+') : String(value)}`;
}

function literalsIn(node: ConditionNode): Value[] {
  if (node.kind === 'literal')
    return typeof node.value === 'string' || typeof node.value === 'number' ? [node.value] : [];
  if (node.kind === 'member') return literalsIn(node.object);
  return [...new Set(childNodes(node).flatMap(literalsIn))];
}
