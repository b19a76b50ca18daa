import type { Entry, PageEntry } from '../rows.ts';
import { namesOf, type LinkSource, type LinkTargetId } from './link-targets.ts';

/** Finds the target that a name such as `path:guides/a.md` leads to. */
export interface Names {
  get(name: string): LinkTargetId | undefined | Promise<LinkTargetId | undefined>;
}

/** Makes a table of the names of entries; `pathOf` gives the slugs of a page from the root. Links lead where the index of links says. */
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

/** The target that an entry is; undefined for a text that no link leads to. */
export function targetIdOf(entry: Entry): LinkTargetId | undefined {
  if (entry.kind === 'page') return `page:${entry.id}`;
  if (entry.kind === 'file') return `file:${entry.id}`;
  return entry.role === 'include' ? `reusable:${entry.id}` : undefined;
}

/** The paths of an entry; those of a link are not the target of links. */
export function linkSourceOf(entry: Entry, pathOf: (page: PageEntry) => string): LinkSource {
  const git = gitSourceOf(entry);
  return entry.kind !== 'page' || entry.type === 'link' ? git : { ...git, path: pathOf(entry) };
}

/** The file of an entry. That of a group or a link is the table of contents, which is not a page. */
export function gitSourceOf(entry: Entry): Pick<LinkSource, 'git'> {
  return entry.git === undefined || (entry.kind === 'page' && entry.type !== 'document')
    ? {}
    : { git: entry.git.path };
}
