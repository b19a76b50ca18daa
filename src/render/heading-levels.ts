import type { RichNode } from '../contract/shapes.ts';
import { headingDepth } from '../richtext/nodes.ts';
import { headingsIn } from './anchors.ts';

/** The level of a heading in its page, and the level that it looks like; both from 2 to 6. */
export interface HeadingLevel {
  readonly level: number;
  readonly look: number;
}

/**
 * Finds the levels of the headings of a page, one after another. The title of the page is its only heading of level 1, and
 * no level is left out below it, so that those who listen find their way. A heading looks as large as its author made it,
 * compared with the largest of the page.
 */
export class HeadingLevels {
  readonly #top: number;
  #above: number[] = [];

  constructor(nodes: readonly RichNode[]) {
    this.#top = Math.min(...headingsIn(nodes).map(headingDepth));
  }

  next(depth: number): HeadingLevel {
    this.#above = [...this.#above.filter((above) => above < depth), depth];
    return {
      level: Math.min(6, this.#above.length + 1),
      look: Math.max(2, Math.min(6, depth - this.#top + 2)),
    };
  }
}
