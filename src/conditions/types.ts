import type { ClaimSchema } from './claims.ts';
import type { Value } from './values.ts';

/** What is known of a value before there is one. */
export interface Known {
  readonly kind: 'boolean' | 'number' | 'string' | 'list' | 'object' | 'null' | 'undefined' | 'any';
  /** How it is called, where it is a claim. */
  readonly called?: string;
  /** The only texts it can be. */
  readonly values?: readonly string[] | undefined;
  readonly items?: Known | undefined;
  readonly properties?: Readonly<Record<string, ClaimSchema>> | undefined;
}

export const any: Known = { kind: 'any' };
export const flag: Known = { kind: 'boolean' };
/** Kinds in words. */
export const nouns: Record<Known['kind'], string> = {
  boolean: 'true or false',
  number: 'a number',
  string: 'a text',
  list: 'a list',
  object: 'an object',
  null: 'null',
  undefined: 'undefined',
  any: 'anything',
};

/** What a visitor schema says of a claim. */
export function knownOf(schema: ClaimSchema, called: string): Known {
  switch (schema.type) {
    case 'boolean':
    case 'number':
      return { kind: schema.type, called };
    case 'string':
      return { kind: 'string', called, values: schema.enum };
    case 'array':
      return {
        kind: 'list',
        called,
        items: schema.items === undefined ? any : knownOf(schema.items, `an item of ${called}`),
      };
    case 'object':
      return { kind: 'object', called, properties: schema.properties ?? {} };
    default:
      return any;
  }
}

/** What is known of a value that stands in the condition. */
export function knownLiteral(value: Value): Known {
  if (typeof value === 'string') return { kind: 'string', values: [value] };
  if (value === null) return { kind: 'null' };
  return { kind: typeof value as 'boolean' | 'number' | 'undefined' };
}

/** One of several: what they have in common. */
export function commonOf(all: readonly Known[]): Known {
  const [first] = all;
  if (first === undefined || all.some(({ kind }) => kind !== first.kind)) return any;
  if (first.kind !== 'string') return { kind: first.kind };
  return {
    kind: 'string',
    values: all.every(({ values }) => values !== undefined)
      ? [...new Set(all.flatMap(({ values }) => values!))]
      : undefined,
  };
}

/** A value in words: "visitor.claims.plan is a text". */
export function sayKind({ called, kind, values }: Known): string {
  const what =
    called === undefined && kind === 'string' && values?.length === 1
      ? `${JSON.stringify(values[0]!.slice(0, 40))} is a text`
      : undefined;
  return what ?? `${called ?? 'this'} is ${nouns[kind]}`;
}

export function isOpen({ kind }: Known): boolean {
  return kind === 'any' || kind === 'null' || kind === 'undefined';
}
