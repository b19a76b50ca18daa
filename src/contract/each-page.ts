import { Problem } from '../errors/problem.ts';

interface Page {
  readonly next?: { readonly page: string };
}

/** Every page of a list, one after the other, from where `page` says. A server that gives the same page again would never end. */
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
          hint: 'The items printed so far are not the whole list. Report this to the operator of the server.',
        },
      );
    page = listing.next.page;
  }
}
