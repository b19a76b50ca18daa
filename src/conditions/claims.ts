import { isRecord, ownValue } from '../contract/values.ts';
import { childNodes, type ConditionNode } from './condition-node.ts';
import type { Value } from './values.ts';

export interface ClaimSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly items?: ClaimSchema;
  readonly properties?: Readonly<Record<string, ClaimSchema>>;
}

export interface FilteredClaims {
  readonly claims: Value;
  /** The reasons why claims were left out, at most 10 messages. */
  readonly ignored: readonly string[];
}

/** Returns the schema of a property that an object schema itself declares. */
export function propertyOf(
  { properties }: Pick<ClaimSchema, 'properties'>,
  name: string,
): ClaimSchema | undefined {
  return properties && ownValue(properties, name);
}

/** Returns the claims that the schema declares and that have the declared type. */
export function filterClaims(claims: Value, schema: ClaimSchema): FilteredClaims {
  const ignored: string[] = [];
  return { claims: filterValue(claims, schema, 'claims', ignored) ?? Object.create(null), ignored };
}

function filterValue(value: Value, schema: ClaimSchema, path: string, ignored: string[]): Value {
  const ignore = (message: string): undefined => {
    if (ignored.length < 10) ignored.push(message);
  };
  switch (schema.type) {
    case 'boolean':
    case 'number':
      return typeof value === schema.type ? value : ignore(`${path} is not a ${schema.type}`);
    case 'string':
      if (typeof value !== 'string') return ignore(`${path} is not a string`);
      return schema.enum === undefined || schema.enum.includes(value)
        ? value
        : ignore(`${path} is not one of: ${schema.enum.slice(0, 10).join(', ')}`);
    case 'array': {
      if (!Array.isArray(value)) return ignore(`${path} is not an array`);
      const items = schema.items ?? { type: 'none' };
      return value
        .map((item: Value, index) => filterValue(item, items, `${path}[${index}]`, ignored))
        .filter((item) => item !== undefined);
    }
    case 'object': {
      if (!isRecord(value)) return ignore(`${path} is not an object`);
      const kept = Object.create(null) as Record<string, Value>;
      for (const [name, member] of Object.entries(value)) {
        const memberPath = `${path}.${name.slice(0, 100)}`;
        const memberSchema = propertyOf(schema, name);
        if (memberSchema === undefined) {
          ignore(`${memberPath} is not in the adaptive schema`);
          continue;
        }
        const filtered = filterValue(member, memberSchema, memberPath, ignored);
        if (filtered !== undefined) kept[name] = filtered;
      }
      return kept;
    }
    default:
      return ignore(`${path} has an unknown type`);
  }
}

/** Lists the claims that a condition reads, as paths below `visitor.claims`; for `claims.a.b` only the whole path. */
export function findClaimPaths(node: ConditionNode): string[][] {
  const path = claimPath(node);
  if (path === undefined) return childNodes(node).flatMap(findClaimPaths);
  return path.length === 0 ? [] : [path];
}

function claimPath(node: ConditionNode): string[] | undefined {
  if (node.kind !== 'member' || node.property.kind !== 'literal') return undefined;
  const { object, property } = node;
  if (typeof property.value !== 'string') return undefined;
  if (object.kind === 'root') return object.name === 'visitor' ? [] : undefined;
  const parent = claimPath(object);
  return parent === undefined ? undefined : [...parent, property.value];
}
