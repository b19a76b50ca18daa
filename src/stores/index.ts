import { resolve } from 'node:path';
import type { Store, Table } from '../core/store.ts';
import { parseStoreUrl } from './url.ts';

export { parseStoreUrl, type StoreUrl } from './url.ts';

export interface StoreOptions {
  /** Every table that will be used. */
  readonly tables: readonly Table[];
  /** How long to wait for another process that is writing, in milliseconds. */
  readonly busyTimeout?: number;
}

/** Opens the store that a URL names, creating it where it is missing; only its own driver is loaded. */
export async function openStore(url: string, { tables, busyTimeout = 15_000 }: StoreOptions): Promise<Store> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme === 'memory') return (await import('./memory.ts')).openMemory(url, tables);
  if (scheme === 'json') return (await import('./json-file.ts')).openJsonFile(url, resolve(path), tables, busyTimeout);
  return (await import('./sqlite.ts')).openSqlite(url, resolve(path), tables, busyTimeout);
}
