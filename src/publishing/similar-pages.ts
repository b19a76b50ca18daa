import type { OpenSpace } from './page-links.ts';
import { isYieldDue, yieldToEvents } from '../contract/event-loop.ts';
import { documentsOf, type SitePage } from './space-pages.ts';

/** Maximum number of suggested pages. */
const maxPages = 5;
/** Maximum number of compared characters of a text. */
const maxCharacters = 200;
/** Minimum similarity of a suggested name. */
const minLikeness = 0.5;
/** Minimum similarity of a suggested name, relative to the best one. */
const minShare = 0.6;

/**
 * Finds pages whose name or title is similar to the last segment of a missing path, the most similar first. Among pages with the
 * same name, the one with the most similar path comes first. Yields to other work.
 */
export async function similarPages({ pages }: OpenSpace, segments: readonly string[]): Promise<SitePage[]> {
  const wanted = pairsOf(segments.join('/'));
  const wantedName = pairsOf(nameOf(segments));
  const found: { readonly page: SitePage; readonly likeness: number; readonly path: number }[] = [];
  for (const page of documentsOf(pages.roots)) {
    if (isYieldDue()) await yieldToEvents();
    const best = Math.max(
      likeness(wantedName, pairsOf(page.path.slice(page.path.lastIndexOf('/') + 1))),
      likeness(wantedName, pairsOf(page.title)),
    );
    if (best >= minLikeness) found.push({ page, likeness: best, path: likeness(wanted, pairsOf(page.path)) });
  }
  const most = Math.max(0, ...found.map((each) => each.likeness));
  return found
    .filter((each) => each.likeness >= most * minShare)
    .sort((one, other) => other.likeness - one.likeness || other.path - one.path)
    .slice(0, maxPages)
    .map(({ page }) => page);
}

/** Returns the last segment of a path that names a page, without a file extension. */
function nameOf(segments: readonly string[]): string {
  const names = segments.map((segment) => segment.replace(/\.(?:md|html?)$/i, ''));
  return names.findLast((name) => !/^(?:index|readme)?$/i.test(name)) ?? '';
}

/** Returns the pairs of neighboring characters in a text as numbers, ignoring case and separators. */
function pairsOf(text: string): ReadonlySet<number> {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const pairs = new Set<number>();
  const end = Math.min(plain.length, maxCharacters);
  for (let at = 1; at < end; at++) pairs.add(plain.charCodeAt(at - 1) * 0x10000 + plain.charCodeAt(at));
  return pairs;
}

/** Returns the share of pairs that two texts have in common (Dice's coefficient), from 0 to 1. */
function likeness(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const pair of one) if (other.has(pair)) common++;
  return (2 * common) / (one.size + other.size);
}
