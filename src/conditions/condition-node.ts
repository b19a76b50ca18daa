import { isRecord } from '../contract/values.ts';

export const comparisons = ['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in'] as const;

/** The methods of texts and lists, each with the argument it takes. */
export const methods = {
  string: {
    at: 'value',
    startsWith: 'value',
    endsWith: 'value',
    includes: 'value',
    toLowerCase: 'nothing',
    toUpperCase: 'nothing',
    trim: 'nothing',
  },
  list: { at: 'value', includes: 'value', some: 'function', every: 'function' },
} as const;

/** Names that no condition may use, because they lead from data to prototypes. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The objects that a condition can read, each with its only member. */
export const roots = { visitor: 'claims', space: 'vars', page: 'vars' } as const;

/** A node of the syntax tree of a condition; `at` is the offset of its first character. */
export type ConditionNode = { readonly at: number } & Readonly<
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: readonly ConditionNode[] }
  | { kind: 'root'; name: keyof typeof roots }
  | { kind: 'parameter'; name: string }
  | { kind: 'member'; object: ConditionNode; property: ConditionNode }
  | { kind: 'call'; object: ConditionNode; method: keyof typeof methods.string; argument?: ConditionNode }
  | { kind: 'some' | 'every'; list: ConditionNode; parameters: readonly string[]; test: ConditionNode }
  | { kind: 'not' | 'negate'; operand: ConditionNode }
  | { kind: 'compare'; operator: (typeof comparisons)[number]; left: ConditionNode; right: ConditionNode }
  | { kind: 'and' | 'or'; operands: readonly ConditionNode[] }
  | { kind: 'conditional'; test: ConditionNode; yes: ConditionNode; no: ConditionNode }
>;

/** Lists the nodes directly below one, in the order of the text. */
export function childNodes(node: ConditionNode): ConditionNode[] {
  const members: unknown[] = Object.values(node).flat();
  return members.filter((member): member is ConditionNode => isRecord(member));
}
