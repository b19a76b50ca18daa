import { findClaimPaths, type ClaimSchema } from '../../conditions/claims.ts';
import type { ConditionEvaluator } from '../../conditions/condition-evaluator.ts';
import { childNodes, type ConditionNode } from '../../conditions/condition-node.ts';
import { ConditionError } from '../../conditions/parse-condition.ts';
import type { Value } from '../../conditions/values.ts';

/** Somebody who comes to a site. */
export interface Visitor {
  readonly name: string;
  readonly source: 'anyone' | 'claims' | 'generated' | 'share-link';
  /** Whether the site lets them in at all. */
  readonly admitted: boolean;
  readonly why?: string;
  /** What of their claims counts. */
  readonly claims: Value;
  readonly ignored: readonly string[];
}

type Choice = readonly [path: string, value: Value];

/** The most visitors that are made up, and the most ways that are tried to please one condition. */
const limits = { visitors: 20, ways: 256, values: 8 } as const;

/** Made-up visitors: for each claim that conditions ask for one with each value of it, and for each condition one it holds for. */
export function generateVisitors(
  conditions: readonly string[],
  evaluator: ConditionEvaluator,
  schema: ClaimSchema | undefined,
): Pick<Visitor, 'name' | 'claims'>[] {
  const made = new Map<string, Pick<Visitor, 'name' | 'claims'>>();
  const add = (choices: readonly Choice[]): void => {
    const name = choices.map(sayChoice).join(', ');
    if (made.size < limits.visitors && !made.has(name)) made.set(name, { name, claims: claimsOf(choices) });
  };
  for (const condition of conditions) {
    const tree = evaluator.parse(condition);
    if (tree instanceof ConditionError) continue;
    const asked = choicesOf(tree, schema);
    const [pleasing] = ways(asked).filter(
      (choices) =>
        evaluator.evaluate(condition, { visitor: { claims: claimsOf(choices) }, page: { vars: {} } }).shown,
    );
    if (pleasing !== undefined && pleasing.length > 0) add(pleasing);
    for (const [path, values] of asked) for (const value of values) add([[path, value]]);
  }
  return [...made.values()];
}

/** For each claim that a tree asks for, the values it may have. */
function choicesOf(
  tree: ConditionNode,
  schema: ClaimSchema | undefined,
): [path: string, values: readonly Value[]][] {
  const written = literalsIn(tree);
  const paths = new Map(findClaimPaths(tree).map((path) => [JSON.stringify(path), path]));
  return [...paths].flatMap(([key, path]): [string, readonly Value[]][] => {
    const claim =
      schema === undefined
        ? undefined
        : path.reduce<ClaimSchema | undefined>((at, name) => at?.properties?.[name], schema);
    const values =
      schema === undefined
        ? [true, ...written.flatMap((value) => [value, [value]])]
        : claim === undefined
          ? []
          : valuesOf(claim, written);
    return values.length === 0 ? [] : [[key, values.slice(0, limits.values)]];
  });
}

function valuesOf({ type, enum: known, items }: ClaimSchema, written: readonly Value[]): Value[] {
  if (type === 'boolean') return [true, false];
  if (type === 'string')
    return known === undefined ? written.filter((value) => typeof value === 'string') : [...known];
  if (type === 'number')
    return [
      ...new Set(
        written.flatMap((value) => (typeof value === 'number' ? [value, value + 1, value - 1] : [])),
      ),
    ];
  if (type !== 'array' || items === undefined) return [];
  const inner = valuesOf(items, written);
  return inner.length > 1
    ? [...inner.slice(0, limits.values - 1).map((value) => [value]), inner]
    : inner.map((value) => [value]);
}

/** Ways to have some of the claims, those with the fewest claims first; none at all is the first. */
function ways(asked: readonly [path: string, values: readonly Value[]][]): Choice[][] {
  let all: Choice[][] = [[]];
  for (const [path, values] of asked) {
    all = [
      ...all,
      ...all.flatMap((before) => values.map((value): Choice[] => [...before, [path, value]])),
    ].slice(0, limits.ways);
  }
  return all.sort((one, other) => one.length - other.length);
}

function claimsOf(choices: readonly Choice[]): Value {
  const claims: Record<string, Value> = {};
  for (const [key, value] of choices) {
    const path = JSON.parse(key) as string[];
    const last = path.pop()!;
    const inner = path.reduce((at, name) => (at[name] ??= {}) as Record<string, Value>, claims);
    inner[last] = value;
  }
  return claims;
}

function sayChoice([key, value]: Choice): string {
  const path = (JSON.parse(key) as string[]).join('.');
  return value === true
    ? path
    : `${path}=${Array.isArray(value) ? value.map(String).join('+') : String(value)}`;
}

function literalsIn(tree: ConditionNode): Value[] {
  if (tree.kind === 'literal')
    return typeof tree.value === 'string' || typeof tree.value === 'number' ? [tree.value] : [];
  if (tree.kind === 'member') return literalsIn(tree.object);
  return [...new Set(childNodes(tree).flatMap(literalsIn))];
}
