import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Store, Table } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { parseStoreUrl } from './url.ts';

export { parseStoreUrl, type StoreUrl } from './url.ts';

export interface StoreOptions {
  /** Every table that will be used. */
  readonly tables: readonly Table[];
  /** How long to wait for another process that is writing, in milliseconds. */
  readonly busyTimeout?: number;
  /** The folder that a relative path starts from; the one of the process by default. */
  readonly cwd?: string;
  /** Makes the store where it is missing; the default. */
  readonly create?: boolean;
}

/** Opens the store that a URL names; only its own driver is loaded. */
export async function openStore(
  url: string,
  { tables, busyTimeout = 15_000, cwd = '', create = true }: StoreOptions,
): Promise<Store> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme === 'memory') return (await import('./memory.ts')).openMemory(url, tables);
  const file = resolve(cwd, path);
  if (!create && !existsSync(file)) {
    throw new Problem('store-failed', `There is no store at ${path}.`, {
      hint: 'Check the path, or create a store: `docsctl init --org-title TITLE --email EMAIL`.',
    });
  }
  if (scheme === 'json') return (await import('./json-file.ts')).openJsonFile(url, file, tables, busyTimeout);
  return (await import('./sqlite/sqlite.ts')).openSqlite(url, file, tables, busyTimeout);
}
