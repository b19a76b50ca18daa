import type { ContentSource } from '../content/content-source.ts';
import { sha256 } from '../content/hashing.ts';
import { readContent } from '../content/revisions.ts';
import type { PageEntry } from '../content/rows.ts';
import { buildTree } from '../content/tree.ts';
import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import type { PageBody } from '../resources/content/schemas.ts';

/** Milliseconds after which scripts are asked again, though nothing that their pages depend on has changed. */
const maxAge = 5 * 60_000;
/** Milliseconds after which a script that failed is asked again. */
const maxFailureAge = 30_000;
/** Pages that are kept, of all spaces. */
const maxKept = 20_000;
/** Pages whose texts are computed together: one that is read, and those behind it, which are likely to be next. */
const maxTogether = 10;
/** The most times that one answer computes something. */
const maxRounds = 500;

/** The pages that integrations compute for a space. */
export interface IntegrationPages {
  /** By the ID of the page that they take the place of. None for a source whose integration does not work on the space, or failed. */
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  /** A text that differs if the pages differ. */
  readonly digest: string;
  /** Reads the Markdown of one of the pages. */
  readonly textOf: (id: string) => string;
}

interface Kept {
  readonly until: number;
  readonly bySeed: ReadonlyMap<string, readonly PageBody[]>;
  readonly digest: string;
  readonly texts: Map<string, string>;
  /** All pages of the space, with the sources in their places. */
  readonly bodies: readonly PageBody[];
  /** The IDs of the computed pages, in order. */
  readonly ids: readonly string[];
}

/** Thrown where an answer needs what scripts have not computed yet. */
class NotComputed extends Error {
  readonly compute: (services: Services) => Promise<void>;

  constructor(compute: (services: Services) => Promise<void>) {
    super('Scripts of integrations have to run first.');
    this.compute = compute;
  }
}

/** Reads, and reads again after scripts of integrations have computed what the reading needs. No script runs in a transaction. */
export async function readComputing<T>(services: () => Services, read: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof NotComputed)) throw error;
      if (round === maxRounds)
        throw new Error('Pages of integrations change all the time.', { cause: error });
      await error.compute(services());
    }
}

/** Keeps the pages that integrations computed for spaces. */
export class IntegrationPageCache {
  readonly #kept = new RecentMap<Kept>(maxKept, ({ ids }) => ids.length + 1);

  /**
   * Finds the pages of the sources in a space, which are computed if they are not kept. Their integrations are asked again
   * after 5 minutes, and after every change of what they depend on. `now` is in milliseconds since 1970.
   *
   * @throws what `readComputing` catches
   */
  async find(content: ContentSource, sources: readonly PageEntry[], now: number): Promise<IntegrationPages> {
    const { tx, space } = content;
    const { versionOfSource } = await import('../resources/content/integration-pages/page-computer.ts');
    const versions: unknown[] = [];
    for (const { id, source } of sources)
      versions.push([id, source === undefined ? undefined : await versionOfSource(tx, space, source)]);
    const key = sha256(JSON.stringify([space.id, space.revision, versions]));
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.until <= now) {
      const { shapePages } = await import('../resources/content/shape.ts');
      const entries = await readContent(tx, space.revision);
      const { roots } = buildTree(entries.filter((entry) => entry.kind === 'page'));
      const bodies = await shapePages(content, roots, { text: 'none', metadata: false });
      throw new NotComputed((services) => this.#compute(services, content, key, bodies));
    }
    const { bySeed, digest, texts } = kept;
    const textOf = (id: string): string => {
      const text = texts.get(id);
      if (text === undefined)
        throw new NotComputed((services) => this.#readTexts(services, content, kept, id));
      return text;
    };
    return { bySeed, digest, textOf };
  }

  async #compute(
    services: Services,
    content: ContentSource,
    key: string,
    bodies: readonly PageBody[],
  ): Promise<void> {
    const { computeAll } = await import('../resources/content/integration-pages/compute-pages.ts');
    const found = await computeAll(services, content, bodies, { text: 'none' });
    const bySeed = new Map<string, PageBody[]>();
    const ids: string[] = [];
    let hasFailed = false;
    const collect = (pages: readonly PageBody[], above: string | undefined): void => {
      for (const page of pages) {
        const { computedSeed: seed } = page;
        if (page.type === 'computed') hasFailed = true;
        if (seed !== undefined && isFromIntegration(page)) {
          ids.push(page.id);
          if (seed !== above) bySeed.set(seed, [...(bySeed.get(seed) ?? []), page]);
        }
        collect(page.pages ?? [], seed);
      }
    };
    collect(found, undefined);
    const until = Date.parse(services.now()) + (hasFailed ? maxFailureAge : maxAge);
    const digest = sha256(JSON.stringify([...bySeed]));
    this.#kept.set(key, { until, bySeed, digest, texts: new Map(), bodies, ids });
  }

  /** Computes the text of a page, and of those behind it. */
  async #readTexts(services: Services, content: ContentSource, kept: Kept, wanted: string): Promise<void> {
    const { computeAll } = await import('../resources/content/integration-pages/compute-pages.ts');
    const next = kept.ids.slice(kept.ids.indexOf(wanted)).filter((id) => !kept.texts.has(id));
    const together = new Set(next.slice(0, maxTogether));
    const isWanted = ({ id }: Pick<PageBody, 'id'>): boolean => together.has(id);
    const collect = (pages: readonly PageBody[]): void => {
      for (const { id, markdown, pages: below = [] } of pages) {
        if (markdown !== undefined) kept.texts.set(id, markdown);
        collect(below);
      }
    };
    collect(await computeAll(services, content, kept.bodies, { text: 'markdown', isWanted }));
    // A script that fails leaves the page empty.
    if (!kept.texts.has(wanted)) kept.texts.set(wanted, '');
  }
}

/** Whether an integration computed a page: others are computed from specifications. */
function isFromIntegration({ computed }: PageBody): boolean {
  return computed?.type !== 'builtin:openapi';
}
