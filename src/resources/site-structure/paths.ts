/** The part of an address made from a title: lower-case words with hyphens; `otherwise` where nothing is left. */
export function slugOf(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const slug = [...(words ?? []).join('-')].slice(0, 60).join('').replace(/-$/, '');
  return slug === '' ? otherwise : slug;
}

/** The slug itself where it is free, else with the first free number from 2; the id settles it after a few. */
export async function freePath(
  slug: string,
  id: string,
  isTaken: (path: string) => Promise<boolean>,
): Promise<string> {
  for (const path of [slug, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${slug}-${number}`)]) {
    if (!(await isTaken(path))) return path;
  }
  return `${slug}-${id.slice(-10).toLowerCase()}`;
}

/** One segment of an address; whatever a person typed stays within it. */
export function segmentOf(text: string): string {
  const encoded = encodeURIComponent(text);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}
