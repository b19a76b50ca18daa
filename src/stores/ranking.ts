import type { Hit } from '../core/store.ts';
import { parseSearchQuery, type SearchTerms } from '../core/search-terms.ts';

/** With so many rows that have every word as it was typed, none is looked for in which the last word goes on: they would only come behind. */
const enough = 50;

/**
 * Looks for rows that have every word, then for those that have them when the last is unfinished, and where there are
 * none for those that have some. Each kind ranks below the one before.
 */
export async function searchByRank(
  query: string,
  limit: number,
  search: (wanted: SearchTerms) => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  const read = parseSearchQuery(query);
  if (read === undefined) return [];
  const exact = ranked(2, await search(read.exact));
  if (exact.length >= Math.min(limit, enough)) return exact;
  const known = new Set(exact.map(({ id }) => id));
  const starting = read.starting === read.exact ? [] : await search(read.starting);
  const all = [...exact, ...ranked(1, starting).filter(({ id }) => !known.has(id))].slice(0, limit);
  return all.length > 0 ? all : ranked(0, await search(read.any));
}

function ranked(rank: number, found: readonly Hit[]): readonly Hit[] {
  return found.map((one) => ({ ...one, score: rank + one.score / (1 + one.score) }));
}
