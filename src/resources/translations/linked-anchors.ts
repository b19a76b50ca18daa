import type { ReadTransaction } from '../../core/store.ts';
import type { SourceEntry } from '../../content/links/link-index.ts';
import { resolveHref } from '../../content/links/link-targets.ts';
import { TrieReader } from '../../content/trie.ts';
import { readContent, readRevision } from '../../content/revisions.ts';
import type { Entry } from '../../content/rows.ts';

/**
 * The sorted anchors of headings to which links with the path of a page lead, by the id of the entry that contains the headings.
 */
export type LinkedAnchors = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the linked headings of a revision in its link index. Links with only `#anchor` do not count, because they lead to their
 * own page.
 */
export async function findLinkedAnchors(view: ReadTransaction, revision: string): Promise<LinkedAnchors> {
  const { links } = await readRevision(view, revision);
  const found = new Map<string, Set<string>>();
  for await (const source of new TrieReader<SourceEntry>(view, links?.roots['sources']).walk('')) {
    for (const { href, to } of source.links) {
      if (!to || href.startsWith('#') || !href.includes('#')) continue;
      const target = resolveHref(source.id, source, href);
      if (target.kind !== 'name' || target.anchor === undefined) continue;
      const id = to.slice(to.indexOf(':') + 1);
      found.set(id, (found.get(id) ?? new Set()).add(target.anchor));
    }
  }
  return new Map([...found].map(([id, anchors]) => [id, [...anchors].sort()]));
}

/** Finds the entries whose linked headings differ from an earlier revision, so that their headings need other anchors. */
export async function findRelinkedEntries(
  view: ReadTransaction,
  before: string,
  revision: string,
  linked: LinkedAnchors,
): Promise<Entry[]> {
  const [old, { links }] = [await readRevision(view, before), await readRevision(view, revision)];
  if (old.links?.roots['sources'] === links?.roots['sources']) return [];
  const known = await findLinkedAnchors(view, before);
  const differs = (id: string) => JSON.stringify(known.get(id)) !== JSON.stringify(linked.get(id));
  const ids = new Set([...known.keys(), ...linked.keys()].filter(differs));
  return ids.size === 0 ? [] : (await readContent(view, revision)).filter(({ id }) => ids.has(id));
}
