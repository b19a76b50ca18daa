import type { Entry, PageEntry } from '../rows.ts';
import { namesOf, type LinkSource, type LinkTargetId } from './link-targets.ts';

/** Finds the target that a name such as `path:guides/a.md` leads to. */
export interface Names {
  get(name: string): LinkTargetId | undefined | Promise<LinkTargetId | undefined>;
}

/**
 * Creates a table of the names of entries. `pathOf` returns the slugs of a page from the root. The table resolves links like the
 * index of links.
 */
export function createNameTable(
  entries: Iterable<Entry>,
  pathOf: (page: PageEntry) => string,
): Map<string, LinkTargetId> {
  const best = new Map<string, readonly [rank: number, target: LinkTargetId]>();
  for (const entry of entries) {
    const target = targetIdOf(entry);
    if (target === undefined) continue;
    for (const [name, rank] of namesOf(target, linkSourceOf(entry, pathOf))) {
      const other = best.get(name);
      if (other === undefined || rank < other[0] || (rank === other[0] && target < other[1]))
        best.set(name, [rank, target]);
    }
  }
  return new Map([...best].map(([name, [, target]]) => [name, target]));
}

/** Returns the link target of an entry; undefined for a text that links cannot lead to. */
export function targetIdOf(entry: Entry): LinkTargetId | undefined {
  if (entry.kind === 'page') return `page:${entry.id}`;
  if (entry.kind === 'file') return `file:${entry.id}`;
  return entry.role === 'include' ? `reusable:${entry.id}` : undefined;
}

/** Returns the paths of an entry. Pages of the type link have no path, because links cannot lead to them. */
export function linkSourceOf(entry: Entry, pathOf: (page: PageEntry) => string): LinkSource {
  const git = gitSourceOf(entry);
  return entry.kind !== 'page' || entry.type === 'link' ? git : { ...git, path: pathOf(entry) };
}

/** Returns the file of an entry. Groups and links have none, because they come from the table of contents. */
export function gitSourceOf(entry: Entry): Pick<LinkSource, 'git'> {
  return entry.git === undefined || (entry.kind === 'page' && entry.type !== 'document')
    ? {}
    : { git: entry.git.path };
}
