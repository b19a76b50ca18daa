import { createHash } from 'node:crypto';
import { blockSourceKey, blockSourceOf } from '../contentkit/document-blocks.ts';
import type { RichNode } from '../contract/shapes.ts';
import { Markup } from '../render/markup.ts';
import { claim, type RunnableBlock } from '../resources/content/blocks/claim-blocks.ts';
import type { InstalledIntegration } from '../resources/content/blocks/installed-blocks.ts';

/** A block of an integration on a page. */
export interface PageBlock {
  /** Names the block on its page; equal blocks have the same key. */
  readonly key: string;
  readonly block: RunnableBlock;
}

/** The most different blocks of integrations on a page. Others stay undrawn. */
const maxBlocks = 50;

/** The places of the blocks of integrations on a page: pages are kept without what scripts draw. */
export class BlockSlots {
  readonly #blocks = new Map<string, PageBlock>();
  readonly #installed: readonly InstalledIntegration[];

  constructor(installed: readonly InstalledIntegration[]) {
    this.#installed = installed;
  }

  get blocks(): readonly PageBlock[] {
    return [...this.#blocks.values()];
  }

  /** The place of a block, if an integration draws it. */
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
    // Texts of authors have no "<" in a page, so that they cannot look like a slot.
    return new Markup(`<!--block ${key}-->${fallback.text}<!--end ${key}-->`);
  };
}

/** Puts what was drawn into the places of a page. What was not drawn keeps its fallback. */
export function fillSlots(page: string, drawn: ReadonlyMap<string, string>): string {
  return page.replace(
    /<!--block ([\w-]{16})-->(.*?)<!--end \1-->/gs,
    (_, key: string, fallback: string) => drawn.get(key) ?? fallback,
  );
}
