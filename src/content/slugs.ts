/** The longest slug of a page (official limit). */
export const maxSlugLength = 100;

/** Makes a slug of a title: lower case, letters and digits of any script, "-" between words, at most 80 characters. */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return [...slug].slice(0, 80).join('').slice(0, maxSlugLength).replace(/-$/, '') || 'page';
}

/** Returns the slug itself, or with the first number that makes it free. */
export function freeSlug(slug: string, taken: Pick<ReadonlySet<string>, 'has'>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 1; ; number++) {
    const suffix = `-${number}`;
    const candidate = slug.slice(0, maxSlugLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
