import type { ContentSource } from '../content/content-source.ts';
import { childIds } from '../content/children.ts';
import { readRevision } from '../content/revisions.ts';
import { readEntry } from '../content/trie.ts';
import type { SiteMap } from './site-map.ts';
import { firstDocument, readSpacePages } from './space-pages.ts';

/**
 * Whether a space has a page for a visitor at its own path: one that they can see and that is not hidden. No scripts run for
 * this, so a page that an integration computes counts as such a page.
 */
export async function hasStart(content: ContentSource, map: SiteMap): Promise<boolean> {
  const { tx, space } = content;
  const { root, children } = await readRevision(tx, space.revision);
  const [id] = await childIds(tx, children, null);
  const first = id === undefined ? undefined : await readEntry(tx, root, id);
  if (first?.kind !== 'page') return false;
  // Most spaces start with a page for everybody, and their other pages need not be read.
  const isOpen = first.type === 'document' && first.hidden !== true && first.condition === undefined;
  if (isOpen && first.computed === undefined) return true;
  return firstDocument((await readSpacePages(content, map)).roots) !== undefined;
}
