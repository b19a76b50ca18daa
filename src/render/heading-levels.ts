import type { RichNode } from '../contract/shapes.ts';
import { headingDepth } from '../richtext/nodes.ts';
import { headingsIn } from './anchors.ts';

/** The semantic level of a heading and its visual level; both from 2 to 6. */
export interface HeadingLevel {
  readonly level: number;
  readonly look: number;
}

/**
 * Determines the levels of the headings of a page, in order. Level 1 is only the title of the page, and no level below it is
 * skipped, so that screen reader users can navigate. The visual level keeps the author's sizes, relative to the largest heading
 * of the page.
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
