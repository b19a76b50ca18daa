import type { OpenSpace } from './page-links.ts';
import { isYieldDue, yieldToEvents } from '../contract/event-loop.ts';
import { documentsOf, type SitePage } from './space-pages.ts';

/** The most pages that are suggested. */
const maxPages = 5;
/** The characters of a text that are compared. */
const maxCharacters = 200;
/** The least likeness of a path that is suggested. */
const minLikeness = 0.3;

/** Finds the pages whose paths are most like one that does not exist, the most similar first. Others have their turn meanwhile. */
export async function similarPages({ pages }: OpenSpace, segments: readonly string[]): Promise<SitePage[]> {
  const wanted = pairsOf(segments.join('/'));
  const wantedName = pairsOf(segments.at(-1) ?? '');
  const found: { readonly page: SitePage; readonly likeness: number }[] = [];
  for (const page of documentsOf(pages.roots)) {
    if (isYieldDue()) await yieldToEvents();
    const best = Math.max(
      likeness(wanted, pairsOf(page.path)),
      likeness(wantedName, pairsOf(page.path.slice(page.path.lastIndexOf('/') + 1))),
      likeness(wantedName, pairsOf(page.title)),
    );
    if (best >= minLikeness) found.push({ page, likeness: best });
  }
  return found
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, maxPages)
    .map(({ page }) => page);
}

/** The pairs of neighboring characters in a text as numbers, without regard to case and separators. */
function pairsOf(text: string): ReadonlySet<number> {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const pairs = new Set<number>();
  const end = Math.min(plain.length, maxCharacters);
  for (let at = 1; at < end; at++) pairs.add(plain.charCodeAt(at - 1) * 0x10000 + plain.charCodeAt(at));
  return pairs;
}

/** The share of pairs that two texts have in common (Dice's coefficient), from 0 to 1. */
function likeness(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const pair of one) if (other.has(pair)) common++;
  return (2 * common) / (one.size + other.size);
}
