import { HashSet } from '../../content/collection/hash-set.ts';
import { referencesOf } from '../../content/collection/record-references.ts';
import { blobs, nodes } from '../../content/rows.ts';
import { isProblem } from '../../errors/problem.ts';
import { scanTable, type ReadTransaction, type Table } from '../../core/store.ts';
import { referringTables } from '../../resources/removal/content-references.ts';
import { RowDamage } from '../checksum.ts';
import type { ReportDamage } from './damage.ts';

/** How many rows are read at once. */
const rowsPerRead = 500;

/** Reports references of rows to texts, files and lists of pages that are missing. */
export async function findBrokenReferences(view: ReadTransaction, report: ReportDamage): Promise<void> {
  const stored = { blobs: await idsOf(view, blobs), nodes: await idsOf(view, nodes) };
  const seen = new HashSet();
  /** Nodes to read, each with the row that refers to it. */
  const open: { readonly hash: string; readonly from: Table; readonly id: string }[] = [];
  const refer = (
    from: Table,
    id: string,
    found: { blobs?: readonly string[]; roots?: readonly string[] },
  ): void => {
    for (const hash of found.blobs ?? [])
      if (!isHash(hash) || !stored.blobs.has(hash))
        report({ table: from.name, id, what: `refers to the text or file ${hash}, which is missing` });
    for (const hash of found.roots ?? []) {
      if (!isHash(hash) || !stored.nodes.has(hash))
        report({ table: from.name, id, what: `refers to the list of pages ${hash}, which is missing` });
      else if (seen.add(hash)) open.push({ hash, from, id });
    }
  };
  for (const { table, references } of referringTables) {
    for await (const id of eachId(view, table)) {
      const row = await readable(view.get(table, id));
      if (row !== undefined) refer(table, id, references(row));
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const node = await readable(view.get(nodes, next.hash));
        refer(nodes, next.hash, referencesOf(node));
      }
    }
  }
}

/** Returns a row; undefined if it is damaged. The check of its table reports the damage. */
async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isProblem(error, 'store-failed') && error.cause instanceof RowDamage) return undefined;
    throw error;
  }
}

async function idsOf(view: ReadTransaction, table: Table): Promise<HashSet> {
  const ids = new HashSet();
  for await (const id of eachId(view, table)) if (isHash(id)) ids.add(id);
  return ids;
}

async function* eachId(view: ReadTransaction, table: Table): AsyncGenerator<string> {
  for await (const found of scanTable((work) => work(view), table, rowsPerRead))
    for (const { id } of found) yield id;
}

function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[\da-f]{64}$/.test(text);
}
