import { createHash } from 'node:crypto';
import { blockSourceKey, blockSourceOf } from '../contentkit/document-blocks.ts';
import type { RichNode } from '../contract/shapes.ts';
import { Markup } from '../render/markup.ts';
import { claim, type RunnableBlock } from '../resources/content/blocks/claim-blocks.ts';
import type { InstalledIntegration } from '../resources/content/blocks/installed-blocks.ts';

/** A block of an integration on a page. */
export interface PageBlock {
  /** Identifies the block on its page. Equal blocks have the same key. */
  readonly key: string;
  readonly block: RunnableBlock;
}

/** Maximum number of different blocks of integrations on a page. Others are not rendered. */
const maxBlocks = 50;

/** Places of the blocks of integrations on a page. Pages are cached without the renderings of scripts. */
export class BlockSlots {
  readonly #blocks = new Map<string, PageBlock>();
  readonly #installed: readonly InstalledIntegration[];

  constructor(installed: readonly InstalledIntegration[]) {
    this.#installed = installed;
  }

  get blocks(): readonly PageBlock[] {
    return [...this.#blocks.values()];
  }

  /** Returns the placeholder of a block; undefined if no integration renders it. */
  readonly add = (node: RichNode, fallback: Markup): Markup | undefined => {
    if (this.#installed.length === 0) return undefined;
    const source = blockSourceOf(node);
    const [claimed] = source === undefined ? [] : claim(source, this.#installed);
    if (source === undefined || claimed === undefined || 'problem' in claimed) return undefined;
    const key = createHash('sha256').update(blockSourceKey(source)).digest('base64url').slice(0, 16);
    if (!this.#blocks.has(key)) {
      if (this.#blocks.size >= maxBlocks) return undefined;
      this.#blocks.set(key, { key, block: claimed });
    }
    // Texts of authors are escaped, so they contain no "<" and cannot look like a placeholder.
    return new Markup(`<!--block ${key}-->${fallback.text}<!--end ${key}-->`);
  };
}

/** Replaces the placeholders in a page by renderings. Blocks without a rendering keep their fallback. */
export function fillSlots(page: string, drawn: ReadonlyMap<string, string>): string {
  return page.replace(
    /<!--block ([\w-]{16})-->(.*?)<!--end \1-->/gs,
    (_, key: string, fallback: string) => drawn.get(key) ?? fallback,
  );
}
