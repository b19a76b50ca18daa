import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { decodePercent, getOrInsert } from '../contract/values.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import { scanSections } from '../richtext/scan-sections.ts';

/**
 * Adds explicit anchors to headings that the page itself or `linkedTo` links to. Without them, the anchors are derived from the
 * words of the headings, which a translation changes.
 */
export function keepAnchors(
  document: RichDocumentValue,
  markdown: string,
  linkedTo: readonly string[],
): RichDocumentValue {
  const wanted = new Set(linkedTo);
  if (markdown.includes('#'))
    for (const { href } of scanLinks(markdown))
      if (href.startsWith('#') && href.length > 1) wanted.add(decodePercent(href.slice(1)) ?? href.slice(1));
  if (wanted.size === 0) return document;
  const anchors = anchorsByTitle(markdown);
  const keep = (node: RichNode): RichNode => {
    if (node.type?.startsWith('heading-') !== true)
      return node.nodes === undefined || node.object !== 'block'
        ? node
        : { ...node, nodes: node.nodes.map(keep) };
    // Headings with equal words get their anchors in the order of the page.
    const anchor = anchors.get(normalizeTitle(plainTextOf(node)))?.shift();
    if (anchor === undefined || node.data?.['id'] !== undefined || !wanted.has(anchor)) return node;
    return /^[^\s"'<>&]+$/.test(anchor) ? { ...node, data: { ...node.data, id: anchor } } : node;
  };
  return { ...document, nodes: document.nodes.map(keep) };
}

/** Returns the anchors of the headings by their normalized titles. */
function anchorsByTitle(markdown: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let previous = '';
  for (const { anchor, title } of scanSections(markdown)) {
    // A long section consists of several pieces with the same anchor.
    if (anchor === '' || anchor === previous) continue;
    previous = anchor;
    const name = normalizeTitle(title);
    getOrInsert(found, name, () => []).push(anchor);
  }
  return found;
}

/** Returns only the letters and digits of a title, because scanSections and the document parse other characters differently. */
function normalizeTitle(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 200);
}
