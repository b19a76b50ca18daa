import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import { Problem } from '../errors/problem.ts';
import { askForElement, type ScriptRendering } from '../resources/content/blocks/ask-script.ts';
import type { InstalledIntegration } from '../resources/content/blocks/installed-blocks.ts';
import type { LiveEvent } from '../resources/integration-events/runs.ts';

/** Milliseconds that renderings are cached: successful ones, and failures. */
const keptFor = { drawn: 5 * 60_000, failed: 30_000 };
/** Maximum size of the cached renderings, in characters. */
const maxSize = 16 * 1024 * 1024;

interface Kept {
  readonly rendering: Promise<ScriptRendering>;
  readonly until: number;
  readonly size: number;
}

/** Limits of rendering blocks for readers. */
interface BlockLimits {
  /** Maximum milliseconds of a script for one rendering. */
  readonly script: number;
  /** Maximum number of scripts that run at the same time. Others wait. */
  readonly parallel: number;
  /** Maximum number of scripts of one integration that run at the same time, so that it does not block others. */
  readonly ofOne: number;
  /** Maximum number of waiting renderings of one integration. More are refused. */
  readonly waiting: number;
}

/**
 * Caches the renderings of blocks by scripts for a few minutes. The keys contain the version of the integration, its settings,
 * the block and its properties, which include the visitor claims that the block uses.
 */
export class BlockCache {
  readonly #kept = new RecentMap<Kept>(maxSize, ({ size }) => size);
  readonly #limits: BlockLimits;
  /** The integration of each running script. */
  readonly #running: string[] = [];
  #waiting: { readonly integration: string; readonly start: () => void }[] = [];

  constructor(limits: BlockLimits = { script: 10_000, parallel: 4, ofOne: 2, waiting: 50 }) {
    this.#limits = limits;
  }

  /** Returns the answer of the script to an event. Answers are cached. It never rejects. */
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

  /** Runs a script when it is its turn, with the time limit. It never rejects. */
  async ask(services: Services, recipient: InstalledIntegration, event: LiveEvent): Promise<ScriptRendering> {
    const integration = recipient.integration.id;
    if (!this.#begin(integration)) {
      if (count(this.#waiting, (one) => one.integration === integration) >= this.#limits.waiting)
        return { problem: 'Too many readers are waiting for the integration.' };
      await new Promise<void>((start) => this.#waiting.push({ integration, start }));
    }
    try {
      const signal = AbortSignal.timeout(this.#limits.script);
      return await askForElement({ ...services, signal }, recipient, event);
    } catch (error) {
      // The page is shown even after an internal error.
      return { problem: error instanceof Problem ? error.message : 'The integration could not be reached.' };
    } finally {
      this.#running.splice(this.#running.indexOf(integration), 1);
      const next = this.#waiting.find((one) => this.#begin(one.integration));
      this.#waiting = this.#waiting.filter((one) => one !== next);
      next?.start();
    }
  }

  /** Adds a script to the running ones and returns true, if the limits allow it. */
  #begin(integration: string): boolean {
    const { parallel, ofOne } = this.#limits;
    if (this.#running.length >= parallel || count(this.#running, (one) => one === integration) >= ofOne)
      return false;
    this.#running.push(integration);
    return true;
  }
}

function count<T>(list: readonly T[], isCounted: (one: T) => boolean): number {
  return list.filter(isCounted).length;
}
