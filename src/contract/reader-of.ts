import type { Operation } from './operation.ts';

/**
 * Whether an operation reads with GET all that another one changes at the same path. A page of a list does not: what is changed
 * may be on another page.
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
