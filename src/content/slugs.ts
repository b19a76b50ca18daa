import { truncate } from '../contract/values.ts';

/** The longest slug of a page (official limit). */
export const maxSlugLength = 100;

/** Makes a slug of a title: lower case, letters and digits of any script, "-" between words, at most 80 characters. */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return truncate([...slug].slice(0, 80).join(''), maxSlugLength).replace(/-$/, '') || 'page';
}

/** Slugs with the same key are equal: published sites do not distinguish upper and lower case in addresses. */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

/**
 * Returns the slug itself, or with the first number that makes it free. `taken` has the keys of slugs. Where many slugs are made
 * and none is given up, `numbers` remembers for each key where to go on.
 */
export function freeSlug(
  slug: string,
  taken: Pick<ReadonlySet<string>, 'has'>,
  numbers?: Map<string, number>,
): string {
  const key = slugKey(slug);
  if (!taken.has(key)) return slug;
  for (let number = numbers?.get(key) ?? 1; ; number++) {
    const suffix = `-${number}`;
    const candidate = truncate(slug, maxSlugLength - suffix.length) + suffix;
    if (taken.has(slugKey(candidate))) continue;
    numbers?.set(key, number);
    return candidate;
  }
}
