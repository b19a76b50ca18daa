import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import { Problem } from '../errors/problem.ts';
import { askForElement, type ScriptRendering } from '../resources/content/blocks/ask-script.ts';
import type { InstalledIntegration } from '../resources/content/blocks/installed-blocks.ts';
import type { LiveEvent } from '../resources/integration-events/runs.ts';

/** What is kept of a drawing, in milliseconds: what a script drew, and what it failed to draw. */
const keptFor = { drawn: 5 * 60_000, failed: 30_000 };
/** The most characters of drawings that are kept. */
const maxSize = 16 * 1024 * 1024;

interface Kept {
  readonly rendering: Promise<ScriptRendering>;
  readonly until: number;
  readonly size: number;
}

/** Limits of drawing for readers. */
export interface BlockLimits {
  /** Milliseconds that a script may take for one drawing. */
  readonly script: number;
  /** Scripts that run at the same time. Others wait for their turn. */
  readonly parallel: number;
}

/**
 * Keeps what scripts drew for readers of sites, for a few minutes. Its keys name the version of the integration, its settings,
 * the block and its properties, which hold what they take of the claims of a visitor.
 */
export class BlockCache {
  readonly #kept = new RecentMap<Kept>(maxSize, ({ size }) => size);
  readonly #limits: BlockLimits;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: BlockLimits = { script: 10_000, parallel: 4 }) {
    this.#limits = limits;
  }

  /** Returns what the script answers to the event, which is asked again only after a while. It never rejects. */
  get(
    key: string,
    services: Services,
    recipient: InstalledIntegration,
    event: LiveEvent,
  ): Promise<ScriptRendering> {
    const now = Date.parse(services.now());
    const found = this.#kept.get(key);
    if (found !== undefined && found.until > now) return found.rendering;
    const rendering = this.ask(services, recipient, event);
    const kept: Kept = { rendering, until: now + keptFor.drawn, size: 1000 };
    this.#kept.set(key, kept);
    void rendering.then((result) => {
      if (this.#kept.get(key) !== kept) return;
      const known =
        'problem' in result
          ? { ...kept, until: now + keptFor.failed }
          : { ...kept, size: kept.size + JSON.stringify(result).length };
      this.#kept.set(key, known);
    });
    return rendering;
  }

  /** Asks a script when it is its turn, with the time limit. It never rejects. */
  async ask(services: Services, recipient: InstalledIntegration, event: LiveEvent): Promise<ScriptRendering> {
    if (this.#running >= this.#limits.parallel)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      const signal = AbortSignal.timeout(this.#limits.script);
      return await askForElement({ ...services, signal }, recipient, event);
    } catch (error) {
      // A fault of the server is no reason to lose the page.
      return { problem: error instanceof Problem ? error.message : 'The integration could not be reached.' };
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}
