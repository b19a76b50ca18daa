import type { RichNode } from '../contract/shapes.ts';
import { plainTextOf, textOfValue } from '../richtext/nodes.ts';
import { AnchorNames, anchorSlug } from '../richtext/scan-sections.ts';
import { truncate } from '../contract/values.ts';

/** Assigns the anchors of a page. Headings get the same anchors as in searches and links; other elements get free ones. */
export class PageAnchors {
  readonly #names = new AnchorNames();
  readonly #headings = new Map<RichNode, string>();

  constructor(nodes: readonly RichNode[]) {
    for (const heading of headingsIn(nodes)) {
      const given = textOfValue(heading.data?.['id']);
      this.#headings.set(heading, this.#names.free(given || anchorSlug(titleOf(heading))));
    }
  }

  /** Returns the anchor of a heading of the page or of a table cell. */
  ofHeading(heading: RichNode): string {
    const given = textOfValue(heading.data?.['id']);
    const own = this.#headings.get(heading) ?? (given === '' ? undefined : this.own(given));
    return own ?? this.named(titleOf(heading));
  }

  /** Returns a new anchor for an element with a title, such as a tab. */
  named(title: string): string {
    return this.#names.free(anchorSlug(title) || 'part');
  }

  /** Returns an anchor that an author wrote in HTML; undefined if the page already has it. */
  own(id: string): string | undefined {
    return this.#names.has(id) ? undefined : this.#names.free(id);
  }
}

/** Returns the text of a heading as one line. */
export function titleOf(heading: RichNode): string {
  return truncate(plainTextOf(heading).replace(/\s+/g, ' ').trim(), 255);
}

/** Returns all headings in reading order, at any depth, except those in table cells. */
export function headingsIn(nodes: readonly RichNode[], found: RichNode[] = []): RichNode[] {
  for (const node of nodes) {
    if (node.object === 'text' || node.object === 'inline' || node.type === 'table') continue;
    if (node.type?.startsWith('heading-') === true) found.push(node);
    else {
      if (Array.isArray(node['fragments'])) headingsIn(node['fragments'] as RichNode[], found);
      if (node.nodes !== undefined) headingsIn(node.nodes, found);
    }
  }
  return found;
}
