import type { RichNode } from '../contract/shapes.ts';
import { plainTextOf, textOfValue } from '../richtext/nodes.ts';
import { AnchorNames, anchorSlug } from '../richtext/scan-sections.ts';
import { truncate } from '../contract/values.ts';

/** The anchors of a page. Those of its headings are those that searches and links use; others take what is free. */
export class PageAnchors {
  readonly #names = new AnchorNames();
  readonly #headings = new Map<RichNode, string>();

  constructor(nodes: readonly RichNode[]) {
    for (const heading of headingsIn(nodes)) {
      const given = textOfValue(heading.data?.['id']);
      this.#headings.set(heading, this.#names.free(given || anchorSlug(titleOf(heading))));
    }
  }

  /** The anchor of a heading of the page, or of one in a cell. */
  ofHeading(heading: RichNode): string {
    const given = textOfValue(heading.data?.['id']);
    const own = this.#headings.get(heading) ?? (given === '' ? undefined : this.own(given));
    return own ?? this.named(titleOf(heading));
  }

  /** A new anchor for a part with a title, such as a tab. */
  named(title: string): string {
    return this.#names.free(anchorSlug(title) || 'part');
  }

  /** An anchor that an author wrote in HTML; undefined if the page has it already. */
  own(id: string): string | undefined {
    return this.#names.has(id) ? undefined : this.#names.free(id);
  }
}

/** The text of a heading in one line. */
export function titleOf(heading: RichNode): string {
  return truncate(plainTextOf(heading).replace(/\s+/g, ' ').trim(), 255);
}

/** All headings in reading order, at whatever depth they stand. Those in cells of tables are not parts of the page. */
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
