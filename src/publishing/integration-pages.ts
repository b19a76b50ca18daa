import { getOrInsert } from '../contract/values.ts';
import type { ContentSource } from '../content/content-source.ts';
import { sha256 } from '../content/hashing.ts';
import { readContent } from '../content/revisions.ts';
import type { PageEntry } from '../content/rows.ts';
import { buildTree } from '../content/tree.ts';
import { continueInBackground } from '../core/background.ts';
import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { NotComputed } from './read-computing.ts';

/** Milliseconds after which scripts run again, even if nothing has changed that their pages depend on. */
const maxAge = 5 * 60_000;
/** Milliseconds for which old pages are shown while their script does not answer or fails. */
const maxStale = 60 * 60_000;
/** Milliseconds after which a failed script runs again. It doubles with each failure, up to `maxAge`. */
const failurePause = 30_000;
/** Maximum number of cached pages of all spaces. */
const maxKept = 20_000;
/** Maximum number of sources whose failures are counted. */
const maxFailing = 1000;
/**
 * Maximum number of pages whose texts are computed together: the requested page and the ones after it, which are likely to be
 * read next.
 */
const maxTogether = 10;

/** The pages that integrations compute for a space. */
export interface IntegrationPages {
  /**
   * The pages by the ID of the page that they replace. A source has none if its integration is not installed on the space or has
   * failed.
   */
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  /** A text that changes when the pages change. */
  readonly digest: string;
  /** Reads the Markdown of one of the pages. */
  readonly textOf: (id: string) => string;
}

/** The pages of one source. Times are in milliseconds since 1970. */
interface Computed {
  /** Changes with everything that the pages depend on. */
  readonly version: string;
  readonly at: number;
  /** The path of the page that they replace. */
  readonly path: string | undefined;
  readonly pages: readonly PageBody[];
  readonly ids: readonly string[];
  readonly texts: Map<string, { readonly at: number; readonly text: string }>;
  /** For each late text: until when it is not requested again. */
  readonly late: Map<string, number>;
}

/** The pages of all sources of a space. */
interface Kept {
  readonly until: number;
  /** Whether the pages are shown only until running scripts have answered. */
  readonly isProvisional: boolean;
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  readonly digest: string;
  readonly byId: ReadonlyMap<string, Computed>;
  readonly place: Place;
}

/** The content that contains sources. */
interface Place {
  readonly key: string;
  readonly content: ContentSource;
  /** All pages of the space, including the pages that name the sources. */
  readonly bodies: readonly PageBody[];
  /** The versions of the sources whose integrations are installed on the space, by the ID of the page that names them. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * Caches the pages that integrations compute for spaces. Earlier pages are shown while their scripts run again, so that readers
 * do not wait, and that pages do not disappear when a script fails.
 */
export class IntegrationPageCache {
  readonly #kept = new RecentMap<Kept>(maxKept, ({ byId }) => byId.size + 1);
  /** The last computed pages of each source, by the ID of the page that names it. */
  readonly #last = new RecentMap<Computed>(maxKept, ({ ids }) => ids.length + 1);
  /** The number of consecutive failures of sources, by the page that names them and its version. */
  readonly #failures = new RecentMap<number>(maxFailing);
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Returns the pages of the sources in a space. They are computed if they are not cached. The scripts run again after 5 minutes,
   * and after every change of something that they depend on. `now` is in milliseconds since 1970.
   *
   * @throws the errors that `readComputing` catches
   */
  async find(
    content: ContentSource,
    sources: readonly PageEntry[],
    { now, services }: { now: number; services: () => Services },
  ): Promise<IntegrationPages> {
    const { tx, space } = content;
    const { versionOfSource } = await import('../resources/content/integration-pages/page-computer.ts');
    const versions = new Map<string, string>();
    for (const { id, source } of sources) {
      const version = source === undefined ? undefined : await versionOfSource(tx, space, source);
      if (version !== undefined) versions.set(id, version);
    }
    const key = sha256(JSON.stringify([space.id, space.revision, [...versions]]));
    const kept = this.#kept.get(key);
    const isRunning = this.#running.has(key);
    const isShown = kept !== undefined && (kept.isProvisional ? isRunning : now < kept.until + maxStale);
    if (!isShown) {
      const place = { key, content, versions, bodies: kept?.place.bodies ?? (await readBodies(content)) };
      throw new NotComputed(
        (given) => this.#share(key, given, () => this.#compute(given, place)),
        () => this.#provide(place, now),
      );
    }
    if (kept.until <= now && !isRunning)
      this.#inBackground(key, services(), (given) => this.#compute(given, kept.place));
    const { bySeed, digest } = kept;
    return { bySeed, digest, textOf: (id) => this.#textOf(kept, id, { now, services }) };
  }

  #textOf(
    { byId, place }: Kept,
    id: string,
    { now, services }: { now: number; services: () => Services },
  ): string {
    const source = byId.get(id);
    if (source === undefined) return '';
    const known = source.texts.get(id);
    if (known !== undefined && now < known.at + maxAge) return known.text;
    const isLate = now < (source.late.get(id) ?? 0);
    const key = `${place.key} ${id}`;
    if (known !== undefined && now < known.at + maxStale) {
      if (!isLate) this.#inBackground(key, services(), (given) => this.#readTexts(given, place, source, id));
      return known.text;
    }
    if (isLate) return '';
    throw new NotComputed(
      (given) => this.#share(key, given, () => this.#readTexts(given, place, source, id)),
      () => source.late.set(id, now + failurePause),
    );
  }

  /** Runs work unless the same work is running already. All callers share it. */
  #share(key: string, services: Services, work: () => Promise<void>): Promise<void> {
    let running = this.#running.get(key);
    if (running === undefined) {
      running = work().finally(() => this.#running.delete(key));
      this.#running.set(key, running);
      continueInBackground(services, running);
    }
    return running;
  }

  #inBackground(key: string, services: Services, work: (services: Services) => Promise<void>): void {
    // If there is nothing to show, the request that needs the pages gets the error.
    this.#share(key, services, () => work(services)).catch(() => {});
  }

  async #compute(services: Services, place: Place): Promise<void> {
    const { content, bodies, versions } = place;
    const { computeAll } = await import('../resources/content/integration-pages/compute-pages.ts');
    const found = await computeAll(services, content, bodies, { text: 'none' });
    const now = Date.parse(services.now());
    const failed = new Set<string>();
    const bySeed = new Map<string, PageBody[]>();
    const collect = (pages: readonly PageBody[], above: string | undefined): void => {
      for (const page of pages) {
        const { computedSeed: seed } = page;
        if (page.type === 'computed') failed.add(page.id);
        if (seed !== undefined && seed !== above && isFromIntegration(page))
          getOrInsert(bySeed, seed, () => []).push(page);
        collect(page.pages ?? [], seed);
      }
    };
    collect(found, undefined);
    const paths = pathsOf(bodies);
    const shown = new Map<string, Computed>();
    let pause = maxAge;
    for (const [seed, version] of versions) {
      const id = `${content.space.id} ${seed}`;
      const last = this.#last.get(id);
      const path = paths.get(seed);
      const failing = `${id} ${version}`;
      if (failed.has(seed)) {
        const failures = (this.#failures.get(failing) ?? 0) + 1;
        this.#failures.set(failing, failures);
        pause = Math.min(pause, failurePause * 2 ** (failures - 1));
        if (last?.version === version && last.path === path && now < last.at + maxStale)
          shown.set(seed, last);
        continue;
      }
      this.#failures.delete(failing);
      const pages = bySeed.get(seed) ?? [];
      const [texts, late] = last?.version === version ? [last.texts, last.late] : [new Map(), new Map()];
      const computed = { version, at: now, path, pages, ids: idsOf(pages), texts, late };
      this.#last.set(id, computed);
      shown.set(seed, computed);
    }
    this.#keep(place, shown, { until: now + pause, isProvisional: false });
  }

  /** Shows earlier pages until running scripts have answered. */
  #provide(place: Place, now: number): void {
    const paths = pathsOf(place.bodies);
    const shown = new Map<string, Computed>();
    for (const seed of place.versions.keys()) {
      const last = this.#last.get(`${place.content.space.id} ${seed}`);
      if (last !== undefined && last.path === paths.get(seed) && now < last.at + maxStale)
        shown.set(seed, last);
    }
    // The scripts may have answered in the meantime.
    if (this.#running.has(place.key))
      this.#keep(place, shown, { until: Number.POSITIVE_INFINITY, isProvisional: true });
  }

  #keep(
    place: Place,
    shown: ReadonlyMap<string, Computed>,
    state: Pick<Kept, 'until' | 'isProvisional'>,
  ): void {
    const bySeed = new Map([...shown].map(([seed, { pages }]) => [seed, pages]));
    const byId = new Map([...shown.values()].flatMap((each) => each.ids.map((id) => [id, each] as const)));
    this.#kept.set(place.key, { ...state, bySeed, byId, place, digest: sha256(JSON.stringify([...bySeed])) });
  }

  /** Computes the text of a page and of the pages after it. */
  async #readTexts(services: Services, place: Place, source: Computed, wanted: string): Promise<void> {
    const { computeAll } = await import('../resources/content/integration-pages/compute-pages.ts');
    const { ids, texts, late } = source;
    const began = Date.parse(services.now());
    const isKnown = (id: string): boolean => began < (texts.get(id)?.at ?? Number.NEGATIVE_INFINITY) + maxAge;
    const next = ids.slice(ids.indexOf(wanted)).filter((id) => !isKnown(id));
    const together = new Set(next.slice(0, maxTogether));
    const isWanted = ({ id }: Pick<PageBody, 'id'>): boolean => together.has(id);
    const collect = (pages: readonly PageBody[], at: number): void => {
      for (const { id, markdown, pages: below = [] } of pages) {
        if (markdown !== undefined && together.has(id)) texts.set(id, { at, text: markdown });
        collect(below, at);
      }
    };
    const found = await computeAll(services, place.content, place.bodies, { text: 'markdown', isWanted });
    const now = Date.parse(services.now());
    collect(found, now);
    // If the script fails, the page keeps its old text, or is empty.
    if (texts.get(wanted)?.at === now) late.delete(wanted);
    else late.set(wanted, now + failurePause);
  }
}

/** Reads the pages of a space without texts. */
async function readBodies(content: ContentSource): Promise<PageBody[]> {
  const { shapePages } = await import('../resources/content/shape.ts');
  const entries = await readContent(content.tx, content.space.revision);
  const { roots } = buildTree(entries.filter((entry) => entry.kind === 'page'));
  return shapePages(content, roots, { text: 'none', metadata: false });
}

function pathsOf(bodies: readonly PageBody[]): Map<string, string | undefined> {
  const paths = new Map<string, string | undefined>();
  const collect = (pages: readonly PageBody[]): void => {
    for (const { id, path, pages: below = [] } of pages) {
      paths.set(id, path);
      collect(below);
    }
  };
  collect(bodies);
  return paths;
}

function idsOf(pages: readonly PageBody[]): string[] {
  return pages.flatMap(({ id, pages: below = [] }) => [id, ...idsOf(below)]);
}

/** Whether an integration computed a page. Other computed pages come from specifications. */
function isFromIntegration({ computed }: PageBody): boolean {
  return computed?.type !== 'builtin:openapi';
}
