import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import { scanSections, type Section } from '../richtext/scan-sections.ts';

/** The document with the anchors of headings that it or others link to: they follow from the words, and those change. */
export function keepAnchors(
  document: RichDocumentValue,
  markdown: string,
  linkedTo: readonly string[] = [],
): RichDocumentValue {
  const wanted = new Set(linkedTo);
  if (markdown.includes('#'))
    for (const { href } of scanLinks(markdown))
      if (href.startsWith('#') && href.length > 1) wanted.add(decoded(href.slice(1)));
  if (wanted.size === 0) return document;
  const sections = sectionsByName(markdown);
  const keep = (node: RichNode): RichNode => {
    if (node.type?.startsWith('heading-') !== true)
      return node.nodes === undefined || node.object !== 'block'
        ? node
        : { ...node, nodes: node.nodes.map(keep) };
    // Headings of the same words have their anchors in the order of the page.
    const anchor = sections.get(nameOf(plainTextOf(node)))?.shift();
    if (anchor === undefined || node.data?.['id'] !== undefined || !wanted.has(anchor)) return node;
    return /^[^\s"'<>&]+$/.test(anchor) ? { ...node, data: { ...node.data, id: anchor } } : node;
  };
  return { ...document, nodes: document.nodes.map(keep) };
}

/** The anchors of headings by their words. */
function sectionsByName(markdown: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let before: Section | undefined;
  for (const section of scanSections(markdown)) {
    // A long section comes in pieces.
    if (section.anchor === '' || section.anchor === before?.anchor) continue;
    before = section;
    const name = nameOf(section.title);
    found.set(name, [...(found.get(name) ?? []), section.anchor]);
  }
  return found;
}

/** The words of a heading without their look, which two readers may take for text or not. */
function nameOf(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 200);
}

function decoded(anchor: string): string {
  if (!anchor.includes('%')) return anchor;
  try {
    return decodeURIComponent(anchor);
  } catch {
    // A "%" that is meant as such.
    return anchor;
  }
}
