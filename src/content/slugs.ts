import { truncate } from '../contract/values.ts';

/** The longest slug of a page (official limit). */
export const maxSlugLength = 100;

/** Creates a slug from a title: lower case, letters and digits of any script, "-" between words, at most 80 characters. */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return truncate([...slug].slice(0, 80).join(''), maxSlugLength).replace(/-$/, '') || 'page';
}

/** Returns a key that is equal for equal slugs. Published sites ignore case in addresses. */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

/**
 * Returns the slug, with the first free number if it is taken. `taken` contains the keys of slugs. If many slugs are created and
 * none is released, `numbers` remembers the next number for each key.
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
