import type { ReadTransaction } from '../../core/store.ts';
import type { SourceEntry } from '../../content/links/link-index.ts';
import { resolveHref } from '../../content/links/link-targets.ts';
import { TrieReader } from '../../content/trie.ts';
import { readContent, readRevision } from '../../content/revisions.ts';
import type { Entry } from '../../content/rows.ts';

/** Anchors of headings that are linked to by the path of their page, in order, by the id of the entry that has the headings. */
export type WantedAnchors = ReadonlyMap<string, readonly string[]>;

/** Which headings of a revision are linked to by the path of their page, from the index of its links; what a page links to by `#anchor` alone it says itself. */
export async function wantedAnchors(view: ReadTransaction, revision: string): Promise<WantedAnchors> {
  const { links } = await readRevision(view, revision);
  const wanted = new Map<string, Set<string>>();
  for await (const source of new TrieReader<SourceEntry>(view, links?.roots['sources']).walk('')) {
    for (const { href, to } of source.links) {
      if (!to || href.startsWith('#') || !href.includes('#')) continue;
      const target = resolveHref(source.id, source, href);
      if (target.kind !== 'name' || target.anchor === undefined) continue;
      const id = to.slice(to.indexOf(':') + 1);
      wanted.set(id, (wanted.get(id) ?? new Set()).add(target.anchor));
    }
  }
  return new Map([...wanted].map(([id, anchors]) => [id, [...anchors].sort()]));
}

/** The entries of a revision that are linked to in another way than in the one before: their headings get or lose anchors. */
export async function linkedAnew(
  view: ReadTransaction,
  before: string,
  revision: string,
  wanted: WantedAnchors,
): Promise<Entry[]> {
  const [old, { links }] = [await readRevision(view, before), await readRevision(view, revision)];
  if (old.links?.roots['sources'] === links?.roots['sources']) return [];
  const known = await wantedAnchors(view, before);
  const differs = (id: string): boolean => JSON.stringify(known.get(id)) !== JSON.stringify(wanted.get(id));
  const ids = new Set([...known.keys(), ...wanted.keys()].filter(differs));
  return ids.size === 0 ? [] : (await readContent(view, revision)).filter(({ id }) => ids.has(id));
}
