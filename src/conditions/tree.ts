/** Bounds of a condition as it is written. The characters are the API document's limit of a condition. */
export const limits = { characters: 1024, tokens: 512, brackets: 32, depth: 64 } as const;

export const comparisons = ['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in'] as const;
export type Comparison = (typeof comparisons)[number];

/** What can be called on a text and on a list, with how it is called: by nothing, by one value, or by one arrow function. */
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
  list: { at: 'value', includes: 'value', some: 'arrow', every: 'arrow' },
} as const;
export type Method = keyof typeof methods.string | keyof typeof methods.list;

/** Names that no condition may use: they lead from data to what JavaScript makes of it. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const roots = { visitor: 'claims', space: 'vars', page: 'vars' } as const;
export type Root = keyof typeof roots;

interface At {
  /** Where it begins in the text, from 0; a column is one more. */
  readonly at: number;
}
export type Tree = At &
  (
    | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
    | { readonly kind: 'list'; readonly items: readonly Tree[] }
    | { readonly kind: 'root'; readonly name: Root }
    | { readonly kind: 'parameter'; readonly name: string }
    | { readonly kind: 'member'; readonly of: Tree; readonly name: Tree }
    | {
        readonly kind: 'call';
        readonly on: Tree;
        readonly method: Method;
        readonly value: Tree | undefined;
        readonly arrow: Arrow | undefined;
      }
    | { readonly kind: 'not'; readonly value: Tree }
    | { readonly kind: 'minus'; readonly value: Tree }
    | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Tree; readonly right: Tree }
    | { readonly kind: 'all' | 'any'; readonly parts: readonly Tree[] }
    | { readonly kind: 'choice'; readonly test: Tree; readonly yes: Tree; readonly no: Tree }
  );

export interface Arrow {
  readonly parameters: readonly string[];
  readonly body: Tree;
}

/** The trees directly within one. */
export function within(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'literal':
    case 'root':
    case 'parameter':
      return [];
    case 'list':
      return tree.items;
    case 'member':
      return [tree.of, tree.name];
    case 'call':
      return [
        tree.on,
        ...(tree.value === undefined ? [] : [tree.value]),
        ...(tree.arrow === undefined ? [] : [tree.arrow.body]),
      ];
    case 'not':
    case 'minus':
      return [tree.value];
    case 'compare':
      return [tree.left, tree.right];
    case 'all':
    case 'any':
      return tree.parts;
    case 'choice':
      return [tree.test, tree.yes, tree.no];
  }
}
