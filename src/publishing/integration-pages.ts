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

/** Milliseconds after which scripts are asked again, though nothing that their pages depend on has changed. */
const maxAge = 5 * 60_000;
/** Milliseconds for which pages are still shown while their script does not answer, or fails. */
const maxStale = 60 * 60_000;
/** Milliseconds after which a script that failed is asked again; twice as long after each failure, up to `maxAge`. */
const failurePause = 30_000;
/** Pages that are kept, of all spaces. */
const maxKept = 20_000;
/** Sources whose failures are counted. */
const maxFailing = 1000;
/** Pages whose texts are computed together: one that is read, and those behind it, which are likely to be next. */
const maxTogether = 10;

/** The pages that integrations compute for a space. */
export interface IntegrationPages {
  /** By the ID of the page that they take the place of. None for a source whose integration does not work on the space, or failed. */
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  /** A text that differs if the pages differ. */
  readonly digest: string;
  /** Reads the Markdown of one of the pages. */
  readonly textOf: (id: string) => string;
}

/** The pages of one source. Times are in milliseconds since 1970. */
interface Computed {
  /** Changes with everything that they depend on. */
  readonly version: string;
  readonly at: number;
  /** The path of the page that they take the place of. */
  readonly path: string | undefined;
  readonly pages: readonly PageBody[];
  readonly ids: readonly string[];
  readonly texts: Map<string, { readonly at: number; readonly text: string }>;
  /** Until when a text that is not computed in time is not asked for again. */
  readonly late: Map<string, number>;
}

/** The pages of all sources of a space. */
interface Kept {
  readonly until: number;
  /** Whether it is shown only until scripts that run now have answered. */
  readonly isProvisional: boolean;
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  readonly digest: string;
  readonly byId: ReadonlyMap<string, Computed>;
  readonly place: Place;
}

/** The content that sources are in. */
interface Place {
  readonly key: string;
  readonly content: ContentSource;
  /** All pages of the space, with the sources in their places. */
  readonly bodies: readonly PageBody[];
  /** The versions of the sources whose integrations work on the space, by the IDs of the pages that name them. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * Keeps the pages that integrations computed for spaces. Pages that were computed before are shown while their scripts run again,
 * so that nobody waits for them, and that they do not come and go with a script that fails at times.
 */
export class IntegrationPageCache {
  readonly #kept = new RecentMap<Kept>(maxKept, ({ byId }) => byId.size + 1);
  /** The pages of each source that were computed last, by the ID of the page that names it. */
  readonly #last = new RecentMap<Computed>(maxKept, ({ ids }) => ids.length + 1);
  /** Failures of sources in a row, by the page that names it and its version. */
  readonly #failures = new RecentMap<number>(maxFailing);
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Finds the pages of the sources in a space, which are computed if they are not kept. Their integrations are asked again
   * after 5 minutes, and after every change of what they depend on. `now` is in milliseconds since 1970.
   *
   * @throws what `readComputing` catches
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

  /** Does work that is not being done already; all who need it wait for the same. */
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
    // Who needs it and has nothing to show hears of the error.
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
          bySeed.set(seed, [...(bySeed.get(seed) ?? []), page]);
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

  /** Shows the pages as they were before, until scripts that run now have answered. */
  #provide(place: Place, now: number): void {
    const paths = pathsOf(place.bodies);
    const shown = new Map<string, Computed>();
    for (const seed of place.versions.keys()) {
      const last = this.#last.get(`${place.content.space.id} ${seed}`);
      if (last !== undefined && last.path === paths.get(seed) && now < last.at + maxStale)
        shown.set(seed, last);
    }
    // They may have answered in this moment.
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

  /** Computes the text of a page, and of those behind it. */
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
    // A script that fails leaves the page as it was, or empty.
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

/** Whether an integration computed a page: others are computed from specifications. */
function isFromIntegration({ computed }: PageBody): boolean {
  return computed?.type !== 'builtin:openapi';
}
