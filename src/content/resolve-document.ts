import { isYieldDue, yieldToEvents } from '../contract/event-loop.ts';
import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { defined, getOrInsert, isRecord } from '../contract/values.ts';
import type { ContentReference } from './links/content-reference.ts';
import type { ReferenceResolver, ReferenceSource } from './links/reference-resolver.ts';

/**
 * Replaces the addresses in a document by references with IDs. Addresses without a target do not change. With `labels`, mentions
 * and content references get the title of their target. With `addresses`, references keep their address.
 */
export async function resolveDocument(
  document: RichDocumentValue,
  references: ReferenceResolver,
  source: ReferenceSource,
  { labels, addresses }: { labels: boolean; addresses?: boolean },
): Promise<RichDocumentValue> {
  const known = new Map<string, Promise<ContentReference>>();
  const resolve = (address: string): Promise<ContentReference> =>
    getOrInsert(known, address, async () => {
      const found = await references.resolve(source, address);
      return addresses === true ? { ...found, address } : found;
    });
  const valueOf = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return mapInOrder(value, valueOf);
    if (!isRecord(value)) return value;
    if (value['kind'] === 'url' && typeof value['url'] === 'string') {
      const { spec } = value;
      return { ...(await resolve(value['url'])), ...defined({ spec }) };
    }
    if (value['kind'] === 'reusable-content' && typeof value['reusableContent'] === 'string') {
      const ref = await resolve(value['reusableContent']);
      return ref.kind === 'reusable-content' ? ref : value;
    }
    const fields = await mapInOrder(
      Object.entries(value),
      async ([name, inner]) => [name, await valueOf(inner)] as const,
    );
    return Object.fromEntries(fields);
  };
  const nodeOf = async (node: RichNode): Promise<RichNode> => {
    const { data, nodes } = node;
    // Texts and lines of code contain no references, and there are many of them.
    if (node.object === 'text') return node;
    const fragments = node['fragments'] as readonly RichNode[] | undefined;
    // The data of integrations is not changed.
    let own = data === undefined || node.type === 'integration' ? data : await valueOf(data);
    if (node.type === 'table' && isRecord(own)) own = await resolveFiles(own, resolve);
    if (labels && (node.type === 'mention' || node.type === 'content-ref') && isRecord(own)) {
      const label = await references.titleOf(own['ref'] as ContentReference);
      if (label !== undefined) own = { ...own, label };
    }
    return {
      ...node,
      ...(own === undefined ? {} : { data: own as Record<string, unknown> }),
      ...(nodes === undefined || node.type === 'code' ? {} : { nodes: await mapInOrder(nodes, nodeOf) }),
      ...(fragments === undefined ? {} : { fragments: await mapInOrder(fragments, nodeOf) }),
    };
  };
  return { ...document, nodes: await mapInOrder(document.nodes, nodeOf) };
}

async function mapInOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    if (isYieldDue()) await yieldToEvents();
    results.push(await work(item));
  }
  return results;
}

/** Resolves a column of files. Its cells contain the IDs of the files. */
async function resolveFiles(
  data: Readonly<Record<string, unknown>>,
  resolve: (address: string) => Promise<ContentReference>,
): Promise<Readonly<Record<string, unknown>>> {
  const { definition, records } = data;
  if (!isRecord(definition) || !isRecord(records)) return data;
  const columns = Object.entries(definition).flatMap(([id, column]) =>
    isRecord(column) && column['type'] === 'files' ? [id] : [],
  );
  if (columns.length === 0) return data;
  const idOf = async (address: unknown): Promise<unknown> => {
    const ref = typeof address === 'string' ? await resolve(address) : undefined;
    return ref?.kind === 'file' ? ref.file : address;
  };
  const rows: Record<string, unknown> = {};
  for (const [id, record] of Object.entries(records)) {
    const values: Record<string, unknown> =
      isRecord(record) && isRecord(record['values']) ? { ...record['values'] } : {};
    for (const column of columns) {
      const cell = values[column];
      if (Array.isArray(cell)) values[column] = await mapInOrder(cell, idOf);
    }
    rows[id] = isRecord(record) ? { ...record, values } : record;
  }
  return { ...data, records: rows };
}
