/** A section, group, external link or space in the structure of a site. */
interface Item {
  readonly space?: { readonly id: string };
  readonly children?: readonly unknown[];
  readonly siteSpaces?: readonly unknown[];
}

/** Returns the IDs of all spaces in the structure of a site, in their order. */
export function spacesIn(items: readonly unknown[]): string[] {
  return (items as readonly Item[]).flatMap(({ space, children = [], siteSpaces = [] }) => [
    ...(space === undefined ? [] : [space.id]),
    ...spacesIn(children),
    ...spacesIn(siteSpaces),
  ]);
}
