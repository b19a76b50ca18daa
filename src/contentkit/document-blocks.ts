import type { RichNode } from '../contract/shapes.ts';
import { recordOf } from '../contract/values.ts';
import { fragmentsOf, plainTextOf, textOfValue } from '../richtext/nodes.ts';

/** A block of a document that an integration may draw: a tag of the integration, or a block of code. */
export type BlockSource =
  | {
      readonly kind: 'tag';
      readonly integration: string;
      readonly block: string;
      readonly props: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'code'; readonly syntax: string; readonly content: string };

/** Returns the source of a block that an integration may draw; undefined for other nodes. */
export function blockSourceOf({ type, data = {}, nodes = [] }: RichNode): BlockSource | undefined {
  if (type === 'integration') {
    const { integration, block, props } = data;
    return typeof integration === 'string' && typeof block === 'string'
      ? { kind: 'tag', integration, block, props: recordOf(props) }
      : undefined;
  }
  const syntax = type === 'code' ? textOfValue(data['syntax']) : '';
  return syntax === '' ? undefined : { kind: 'code', syntax, content: nodes.map(plainTextOf).join('\n') };
}

/** Returns a key that is equal for equal sources. */
export function blockSourceKey(source: BlockSource): string {
  return JSON.stringify(
    source.kind === 'code'
      ? [source.syntax, source.content]
      : [
          source.integration,
          source.block,
          Object.entries(source.props).sort(([one], [other]) => (one < other ? -1 : 1)),
        ],
  );
}

/** Lists the distinct sources of all blocks, in order. */
export function listBlockSources(nodes: readonly RichNode[]): BlockSource[] {
  const found = new Map<string, BlockSource>();
  const open = [...nodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const source = blockSourceOf(node);
    if (source !== undefined && !found.has(blockSourceKey(source))) found.set(blockSourceKey(source), source);
    open.push(...[...(node.nodes ?? []), ...fragmentsOf(node)].reverse());
  }
  return [...found.values()];
}

/** Replaces blocks by their drawings, which are given by the keys of their sources. Keeps other blocks. */
export function replaceBlocks(
  nodes: readonly RichNode[],
  drawn: ReadonlyMap<string, readonly RichNode[]>,
): RichNode[] {
  if (drawn.size === 0) return [...nodes];
  return nodes.flatMap((node) => {
    const source = blockSourceOf(node);
    const replacement = source === undefined ? undefined : drawn.get(blockSourceKey(source));
    if (replacement !== undefined) return replacement;
    const fragments = fragmentsOf(node).map((one) => ({
      ...one,
      nodes: replaceBlocks(one.nodes ?? [], drawn),
    }));
    return [
      {
        ...node,
        ...(node.nodes === undefined ? {} : { nodes: replaceBlocks(node.nodes, drawn) }),
        ...(fragments.length === 0 ? {} : { fragments }),
      },
    ];
  });
}
