import { isRecord, type Value } from './values.ts';
import { within, type Tree } from './tree.ts';

/** What a visitor schema says of a claim. */
export interface ClaimSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly items?: ClaimSchema;
  readonly properties?: Readonly<Record<string, ClaimSchema>>;
}

export interface Fitted {
  /** The claims that the schema knows, of the types it says; nothing else of a visitor counts. */
  readonly claims: Value;
  /** What was left out, in words. */
  readonly ignored: readonly string[];
}

/** Takes from what is said of a visitor all that the schema does not know, or not so. */
export function fitClaims(claims: Value, schema: ClaimSchema): Fitted {
  const ignored: string[] = [];
  return { claims: fitted(claims, schema, 'claims', ignored) ?? Object.create(null), ignored };
}

function fitted(value: Value, schema: ClaimSchema, path: string, ignored: string[]): Value {
  const leave = (why: string): undefined => {
    if (ignored.length < 10) ignored.push(`${path} ${why}`);
    return undefined;
  };
  switch (schema.type) {
    case 'boolean':
    case 'number':
      return typeof value === schema.type ? value : leave(`is no ${schema.type}`);
    case 'string':
      if (typeof value !== 'string') return leave('is no text');
      return schema.enum === undefined || schema.enum.includes(value)
        ? value
        : leave(`is none of: ${schema.enum.slice(0, 10).join(', ')}`);
    case 'array':
      if (!Array.isArray(value)) return leave('is no list');
      return value
        .map((item: Value, index) =>
          fitted(item, schema.items ?? { type: 'none' }, `${path}[${index}]`, ignored),
        )
        .filter((item) => item !== undefined);
    case 'object': {
      if (!isRecord(value)) return leave('is no object');
      const kept = Object.create(null) as Record<string, Value>;
      for (const [name, inner] of Object.entries(value)) {
        const at = `${path}.${name.slice(0, 100)}`;
        const known =
          schema.properties !== undefined && Object.hasOwn(schema.properties, name)
            ? schema.properties[name]
            : undefined;
        if (known === undefined) {
          if (ignored.length < 10) ignored.push(`${at} is not in the visitor schema`);
          continue;
        }
        const fit = fitted(inner, known, at, ignored);
        if (fit !== undefined) kept[name] = fit;
      }
      return kept;
    }
    default:
      return leave('has a type that is not known');
  }
}

/** The claims that a condition asks for, as paths below visitor.claims. */
export function claimsIn(tree: Tree): string[][] {
  const path = claimPath(tree);
  // The longest path of a chain of members counts, not the steps on the way.
  return path === undefined ? within(tree).flatMap(claimsIn) : path.length === 0 ? [] : [path];
}

function claimPath(tree: Tree): string[] | undefined {
  if (tree.kind !== 'member' || tree.name.kind !== 'literal' || typeof tree.name.value !== 'string')
    return undefined;
  if (tree.of.kind === 'root') return tree.of.name === 'visitor' ? [] : undefined;
  const before = claimPath(tree.of);
  return before === undefined ? undefined : [...before, tree.name.value];
}
