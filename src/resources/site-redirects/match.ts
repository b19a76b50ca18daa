import type { ReadTransaction } from '../../core/store.ts';
import { decodePercent } from '../../contract/values.ts';
import { findOne } from '../../core/store.ts';
import { comparable, type RedirectPattern } from '../../core/redirect-paths.ts';
import { siteRedirects, type SiteRedirectRow } from './rows.ts';

/**
 * Finds the live redirect of a site for a path: the one with exactly this path, otherwise the wildcard with the longest prefix.
 * `candidate` is treated as live although it is not stored yet; it replaces a stored one with the same ID or key.
 */
export async function findRedirect(
  view: ReadTransaction,
  site: string,
  path: string,
  candidate?: SiteRedirectRow,
): Promise<SiteRedirectRow | undefined> {
  const key = comparable(path);
  const isReplaced = (row: SiteRedirectRow) =>
    candidate !== undefined && (row.id === candidate.id || row.key === candidate.key);
  if (candidate?.key === key) return candidate;
  const exact = await findOne(view, siteRedirects, 'byKey', [site, 'live', key]);
  if (exact !== undefined && !isReplaced(exact)) return exact;
  const stored = await findLongestPrefix(view, site, key, isReplaced);
  const isCandidateLonger =
    candidate !== undefined &&
    covers(candidate, key) &&
    (candidate.prefix?.length ?? 0) > (stored?.prefix?.length ?? 0);
  return isCandidateLonger ? candidate : stored;
}

/** Returns the part of an encoded path that the star of a redirect matches, decoded like the paths of requests. */
export function decodedCapture(redirect: Pick<SiteRedirectRow, 'source' | 'prefix'>, path: string): string {
  return capturedBy(redirect, path).replace(/[^/]+/g, (segment) => decodePercent(segment) ?? segment);
}

/** Returns the part of a path that the star of a redirect matches, as it is written. */
export function capturedBy(
  { source, prefix }: Pick<SiteRedirectRow, 'source' | 'prefix'>,
  path: string,
): string {
  if (prefix === undefined || comparable(path) === comparable(source)) return '';
  // The prefix is in its normalized form, so the capture starts where the normalized path has the length of the prefix.
  let start = 0;
  let length = 0;
  for (const [part, compared] of comparedParts(path)) {
    if (length >= prefix.length) break;
    start += part;
    length += compared;
  }
  return length === prefix.length ? path.slice(start) : comparable(path).slice(prefix.length);
}

/** Yields the length of each character of a path, first as written, then in its normalized form. */
function* comparedParts(path: string): Generator<readonly [part: number, compared: number]> {
  for (const [run] of path.matchAll(/(?:%[0-9a-f]{2})+|./gisu)) {
    const decoded = decodePercent(run);
    // A percent sign that is not a valid encoding of UTF-8 is compared literally.
    if (decoded === undefined) for (const _ of run) yield [1, 1];
    else if (decoded === run) yield [run.length, run.toLowerCase().length];
    else {
      let at = 0;
      for (const character of decoded) {
        const part = 3 * Buffer.byteLength(character);
        yield [part, comparable(run.slice(at, (at += part))).length];
      }
    }
  }
}

function covers({ prefix }: RedirectPattern, key: string): boolean {
  return (
    prefix !== undefined &&
    key.length > prefix.length - (prefix.endsWith('/') ? 0 : 1) &&
    key.startsWith(prefix)
  );
}

/**
 * Visits prefixes in descending order. A prefix that does not match excludes all that are longer than its common part with the
 * path, so there are at most as many steps as the path has characters, usually one or two.
 */
async function findLongestPrefix(
  view: ReadTransaction,
  site: string,
  key: string,
  isReplaced: (row: SiteRedirectRow) => boolean,
): Promise<SiteRedirectRow | undefined> {
  let after: readonly [string, string] = [key, lastId];
  for (;;) {
    const [row] = await view.find(siteRedirects, {
      index: 'byPrefix',
      equals: [site, 'live'],
      order: 'desc',
      after,
      limit: 1,
    });
    if (row?.prefix === undefined) return undefined;
    const { prefix, id } = row;
    if (covers(row, key)) {
      if (!isReplaced(row)) return row;
      after = [prefix, id];
    } else {
      const common = commonStart(prefix, key);
      after = common.length < prefix.length ? [common, lastId] : [prefix, id];
    }
  }
}

/** Sorts after all IDs. */
const lastId = '~';

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
