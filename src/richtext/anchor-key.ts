/**
 * Returns what anchors of one heading have in common. Tools make different anchors of a heading: of "4.5 Tips & Tricks", GitHub makes
 * `45-tips--tricks`, and GitBook `id-4.5-tips-and-tricks` or `4-5-tips-and-tricks`. Links with either open the heading.
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
