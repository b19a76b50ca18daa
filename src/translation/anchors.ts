import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import { scanSections } from '../richtext/scan-sections.ts';

/** The document with the anchors of headings that it links to itself: they follow from the words, and those change. */
export function keepAnchors(document: RichDocumentValue, markdown: string): RichDocumentValue {
  if (!markdown.includes('](#')) return document;
  const wanted = new Set(scanLinks(markdown).flatMap(({ href }) => (href.startsWith('#') && href.length > 1 ? [href.slice(1)] : [])));
  const found = scanSections(markdown).filter(({ anchor }) => wanted.has(anchor));
  const keep = (node: RichNode): RichNode => {
    if (node.type?.startsWith('heading-') !== true) return node.nodes === undefined || node.object !== 'block' ? node : { ...node, nodes: node.nodes.map(keep) };
    const place = node.data?.['id'] === undefined ? found.findIndex(({ title }) => title === plainTextOf(node).trim()) : -1;
    if (place === -1) return node;
    const { anchor } = found.splice(place, 1)[0]!;
    return /^[^\s"'<>&]+$/.test(anchor) ? { ...node, data: { ...node.data, id: anchor } } : node;
  };
  return { ...document, nodes: document.nodes.map(keep) };
}
