/**
 * Returns a key that is equal for all anchors of the same heading. Tools create different anchors: for "4.5 Tips & Tricks",
 * GitHub creates `45-tips--tricks`, and GitBook `id-4.5-tips-and-tricks` or `4-5-tips-and-tricks`. Links with any of them open
 * the heading.
 */
export function anchorKey(anchor: string): string {
  const words = anchor
    .normalize()
    .toLowerCase()
    .replace(/^id-(?=\d)/, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  const plain = words.filter((word) => word !== 'and' && word !== 'or').join('');
  return plain === '' ? anchor : plain;
}
