import { Problem } from '../errors/problem.ts';
import type { Api, CallOptions } from './api.ts';
import { maxLimitOf, type InputOf, type ItemOf, type Operation } from './operation.ts';
import { defined } from './values.ts';

interface Page {
  readonly next?: { readonly page: string };
}

/**
 * Yields every page of a list, starting at `page`. Throws if a server returns the same page again, because that would never end.
 */
export async function* eachPage<T extends Page>(
  call: (page: string | undefined) => Promise<T>,
  page?: string,
): AsyncGenerator<T> {
  for (;;) {
    const listing = await call(page);
    yield listing;
    if (listing.next === undefined) return;
    if (listing.next.page === page)
      throw new Problem(
        'unreachable',
        'The server returned the same page of the list twice, so the list cannot be completed.',
        {
          hint: 'Report this to the operator of the server.',
        },
      );
    page = listing.next.page;
  }
}

/** Yields the pages of a list. Uses the maximum page size unless `input` has a limit. */
function pagesOf<O extends Operation>(
  api: Pick<Api, 'call'>,
  list: O,
  input: InputOf<O>,
  options?: CallOptions,
) {
  return eachPage(async (page) => {
    const query = { limit: maxLimitOf(list), ...input.query, ...defined({ page }) };
    const listing: unknown = await api.call(list, { ...input, query }, options);
    return listing as Page & { readonly items: readonly ItemOf<O>[] };
  });
}

/** Yields the items of a list. */
export async function* eachItem<O extends Operation>(
  ...list: Parameters<typeof pagesOf<O>>
): AsyncGenerator<ItemOf<O>> {
  for await (const { items } of pagesOf(...list)) yield* items;
}

/** Returns all items of a list. */
export async function listAll<O extends Operation>(
  ...list: Parameters<typeof pagesOf<O>>
): Promise<ItemOf<O>[]> {
  const found: ItemOf<O>[] = [];
  for await (const { items } of pagesOf(...list)) found.push(...items);
  return found;
}
