/** Returns the pages of a tree in reading order. */
export function flatten<P extends { readonly pages?: readonly P[] }>(pages: readonly P[]): P[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}
