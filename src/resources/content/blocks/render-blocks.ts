import type { RichNode } from '../../../contract/shapes.ts';
import { defined, getOrInsert } from '../../../contract/values.ts';
import type { Caller } from '../../../core/callers.ts';
import type { Services } from '../../../core/handler.ts';
import { can, type EffectiveRole } from '../../../core/permissions.ts';
import type { SpaceRow } from '../../../core/rows/spaces.ts';
import { Problem } from '../../../errors/problem.ts';
import { blockSourceKey, listBlockSources, type BlockSource } from '../../../contentkit/document-blocks.ts';
import { linkAddress } from '../../../contentkit/safe-values.ts';
import { codeOf, componentToBlocks } from '../../../contentkit/to-document.ts';
import { block, paragraphOf, textNode } from '../../../richtext/nodes.ts';
import { askForElement } from './ask-script.ts';
import { claim, type ClaimedBlock, type RunnableBlock } from './claim-blocks.ts';
import { listInstalledBlocks, type InstalledIntegration } from './installed-blocks.ts';

export interface BlockViewer {
  readonly space: Pick<SpaceRow, 'id' | 'organization'>;
  /** Undefined for a visitor of a site. */
  readonly caller?: Caller | undefined;
  readonly role?: EffectiveRole | undefined;
}

interface BlockLimits {
  /** Total time limit for all blocks, in milliseconds. */
  readonly time: number;
  readonly blocks: number;
  /** Maximum number of scripts that run at the same time. */
  readonly parallel: number;
}
/** The limits of one page, and of a PDF. */
export const pageLimits: BlockLimits = { time: 10_000, blocks: 100, parallel: 4 };
export const bookLimits: BlockLimits = { ...pageLimits, time: 60_000 };

/** Maximum number of document nodes that one block of an integration may become. */
const maxNodes = 1000;

interface DrawnBlock {
  readonly source: BlockSource;
  readonly integration: string;
  readonly block: string;
  readonly nodes: readonly RichNode[];
  /** The reason if only a placeholder is drawn. Only people who can edit the space see it. */
  readonly problem?: string | undefined;
}

/** The answer of a script for a block: the nodes to draw, or one sentence that says why there are none. */
type Rendering = { readonly nodes: readonly RichNode[] } | { readonly problem: string };

/** Draws the blocks of integrations on the pages of one space, with one deadline for all of them. Equal blocks are drawn once. */
export class BlockRenderer {
  readonly #services: Services;
  readonly #viewer: BlockViewer;
  readonly #limits: BlockLimits;
  readonly #late: AbortSignal;
  readonly #stopped: Promise<Rendering>;
  #installed: Promise<InstalledIntegration[]> | undefined;
  /** The key combines the version of the integration, the block and its properties. */
  readonly #renderings = new Map<string, Promise<Rendering>>();

  constructor(services: Services, viewer: BlockViewer, limits: BlockLimits = pageLimits) {
    this.#services = services;
    this.#viewer = viewer;
    this.#limits = limits;
    this.#late = AbortSignal.timeout(limits.time);
    const problem = `The block was not drawn within ${limits.time / 1000} seconds.`;
    this.#stopped = new Promise((resolve) => {
      this.#late.addEventListener('abort', () => resolve({ problem }), { once: true });
    });
  }

  /**
   * Draws the blocks of integrations in a document. Returns nothing for code that no integration draws. Blocks that fail become
   * placeholders.
   *
   * @throws Problem(interrupted) if the request was aborted
   */
  async render(nodes: readonly RichNode[]): Promise<DrawnBlock[]> {
    const sources = listBlockSources(nodes);
    if (sources.length === 0) return [];
    const installed = await (this.#installed ??= this.#services.read((view) =>
      listInstalledBlocks(view, this.#viewer.space),
    ));
    const claimed = sources.flatMap((source) => claim(source, installed));
    const drawn: DrawnBlock[] = [];
    const open = claimed.entries();
    const work = async (): Promise<void> => {
      for (const [index, one] of open) drawn[index] = await this.#draw(one, index);
    };
    await Promise.all(Array.from({ length: Math.min(this.#limits.parallel, claimed.length) }, work));
    return drawn;
  }

  async #draw(claimed: ClaimedBlock, index: number): Promise<DrawnBlock> {
    const { source, integration, block: id } = claimed;
    const rendering: Rendering =
      'problem' in claimed
        ? claimed
        : index >= this.#limits.blocks
          ? { problem: `The page has more than ${this.#limits.blocks} blocks of integrations.` }
          : await this.#renderOnce(claimed);
    if ('nodes' in rendering) return { source, integration, block: id, nodes: rendering.nodes };
    const problem =
      this.#viewer.role !== undefined && can(this.#viewer.role, 'edit') ? rendering.problem : undefined;
    return {
      source,
      integration,
      block: id,
      nodes: placeholderOf(claimed, problem),
      ...defined({ problem }),
    };
  }

  #renderOnce(claimed: RunnableBlock): Promise<Rendering> {
    const { recipient, block: id, props } = claimed;
    const { version, updatedAt } = recipient.integration;
    const key = JSON.stringify([recipient.integration.id, version, updatedAt, id, props]);
    return getOrInsert(this.#renderings, key, () => this.#render(claimed));
  }

  async #render({ recipient, block: id, props }: RunnableBlock): Promise<Rendering> {
    const { signal } = this.#services;
    const services = {
      ...this.#services,
      signal: signal === undefined ? this.#late : AbortSignal.any([signal, this.#late]),
    };
    const { space, caller } = this.#viewer;
    const event = {
      type: 'ui_render',
      spaceId: space.id,
      ...(caller === undefined ? {} : { auth: { userId: caller.user.id } }),
      componentId: id,
      props,
      context: { type: 'document', theme: 'light', spaceId: space.id, editable: false },
    };
    const rendering = askForBlocks(services, recipient, event);
    try {
      return await Promise.race([rendering, this.#stopped]);
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof Problem)) throw error;
      return error.reason === 'interrupted' ? await this.#stopped : { problem: error.message };
    } finally {
      // After the deadline nobody waits for the script, so its error must not become an unhandled rejection.
      rendering.catch(() => undefined);
    }
  }
}

async function askForBlocks(...args: Parameters<typeof askForElement>): Promise<Rendering> {
  const rendering = await askForElement(...args);
  if ('problem' in rendering) return rendering;
  if ('isComplete' in rendering) return { problem: 'The script returned nothing to draw.' };
  const nodes = componentToBlocks(rendering.component);
  return nodes.length > maxNodes
    ? { problem: `The result would have more than ${maxNodes} blocks.` }
    : { nodes };
}

/** Returns the placeholder of a block: code is kept, other blocks become their title and address. */
function placeholderOf(
  { source, title, integration }: ClaimedBlock,
  problem: string | undefined,
): RichNode[] {
  const url = source.kind === 'tag' ? linkAddress(source.props['url']) : undefined;
  const name = textNode([{ text: title, marks: ['bold'] }]);
  const label: RichNode =
    url === undefined
      ? name
      : { object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url } }, nodes: [name] };
  const rest = textNode([{ text: ` (block of the integration "${integration}")`, marks: [] }]);
  const hint = block(
    'hint',
    [block('paragraph', [label, rest]), ...(problem === undefined ? [] : [paragraphOf(problem)])],
    { style: problem === undefined ? 'info' : 'warning' },
  );
  if (source.kind === 'tag') return [hint];
  return [codeOf(source.content, source.syntax), ...(problem === undefined ? [] : [hint])];
}

/** Returns the drawings of the blocks of a document by the keys that `replaceBlocks` takes. */
export function drawnByKey(drawn: readonly DrawnBlock[]): ReadonlyMap<string, readonly RichNode[]> {
  return new Map(drawn.map(({ source, nodes }) => [blockSourceKey(source), nodes]));
}
