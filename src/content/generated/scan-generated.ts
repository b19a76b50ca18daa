import { scanAnchors } from '../../richtext/scan-anchors.ts';
import { scanLinks } from '../../richtext/scan-links.ts';
import { operationAnchor } from '../../richtext/operation-anchor.ts';
import type { ScannedText } from '../links/sources.ts';

const blockTag = /^\{% (?:end)?openapi-[^\n]*$/gm;
const operationTag = /^\{% openapi-(?:operation|webhook) [^\n]*?(?:path|name)="([^"\n]*)" method="(\w+)"/gm;

/**
 * Returns the links and anchors of a page that is generated from a specification. An operation has the anchor of its heading, and
 * another one made from its method and path, such as `get-pets-id`. The anchors of a page of models are unknown.
 */
export function scanGenerated(markdown: string, specification: string): ScannedText {
  const address = `openapi:${specification}`;
  const links = scanLinks(markdown)
    .filter(({ href }) => href !== address)
    .map(({ href, line }) => ({ href, line }));
  if (markdown.includes('{% openapi-schemas')) return { links };
  const anchors = new Set(scanAnchors(markdown.replace(blockTag, '')));
  for (const [, path = '', method = ''] of markdown.matchAll(operationTag))
    anchors.add(operationAnchor(method, path));
  return { links, anchors: [...anchors].sort() };
}
