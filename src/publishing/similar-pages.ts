import type { OpenSpace } from './page-links.ts';
import { documentsOf, type SitePage } from './space-pages.ts';

/** The most pages that are suggested. */
const maxPages = 5;
/** The least likeness of a path that is suggested. */
const minLikeness = 0.3;

/** Finds the pages whose paths are most like one that does not exist, the most similar first. */
export function similarPages({ pages }: OpenSpace, segments: readonly string[]): SitePage[] {
  const wanted = pairsOf(segments.join('/'));
  const wantedName = pairsOf(segments.at(-1) ?? '');
  return documentsOf(pages.roots)
    .map((page) => ({
      page,
      likeness: Math.max(
        likeness(wanted, pairsOf(page.path)),
        likeness(wantedName, pairsOf(page.path.split('/').at(-1) ?? '')),
        likeness(wantedName, pairsOf(page.title)),
      ),
    }))
    .filter((each) => each.likeness >= minLikeness)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, maxPages)
    .map(({ page }) => page);
}

/** The pairs of neighboring characters in a text, without regard to case and separators. */
function pairsOf(text: string): ReadonlySet<string> {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const characters = plain.slice(0, 200).match(/./gu) ?? [];
  return new Set(characters.slice(1).map((character, at) => (characters[at] ?? '') + character));
}

/** The share of pairs that two texts have in common (Dice's coefficient), from 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const pair of one) if (other.has(pair)) common++;
  return (2 * common) / (one.size + other.size);
}
