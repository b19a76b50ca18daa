import type { Operation } from './operation.ts';

/**
 * Whether an operation reads, with GET at the same path, everything that another one changes. A page of a list does not, because
 * the changed item may be on another page.
 */
export function isReaderOf({ method, path, query, returns }: Operation, change: Operation): boolean {
  return (
    method === 'GET' &&
    change.method !== 'GET' &&
    change.method !== 'POST' &&
    path === change.path &&
    returns.file !== true &&
    !Object.hasOwn(query.properties, 'page')
  );
}
