import { getOrInsert } from '../../contract/values.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { seedOf } from './generated-id.ts';
import { readComputedPage, readGeneratedPages, type ComputedPage, type PlacedPage } from './place-pages.ts';

interface FoundGenerated {
  readonly page: PlacedPage;
  /** The titles of the pages above it, outermost first. */
  readonly ancestors: readonly string[];
}

/** Finds pages of one revision that are generated from specifications. The pages of each source are generated once. */
export class GeneratedFinder {
  readonly #view: ReadTransaction;
  readonly #organization: string;
  readonly #revision: RevisionRow;
  readonly #sources = new Map<string, Promise<readonly FoundGenerated[]>>();

  constructor(view: ReadTransaction, organization: string, revision: RevisionRow) {
    this.#view = view;
    this.#organization = organization;
    this.#revision = revision;
  }

  async byId(id: string): Promise<FoundGenerated | undefined> {
    const seed = seedOf(id);
    return seed === undefined ? undefined : (await this.#from(seed)).find(({ page }) => page.id === id);
  }

  /** Finds a generated page by its path, such as `reference/pets`. */
  async byPath(path: string): Promise<FoundGenerated | undefined> {
    for (const seed of this.#revision.computed ?? []) {
      const found = (await this.#from(seed)).find(({ page }) => page.path === path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async all(): Promise<PlacedPage[]> {
    const found: PlacedPage[] = [];
    for (const seed of this.#revision.computed ?? [])
      found.push(...(await this.#from(seed)).map(({ page }) => page));
    return found;
  }

  #from(seed: string): Promise<readonly FoundGenerated[]> {
    return getOrInsert(this.#sources, seed, () => this.#generate(seed));
  }

  async #generate(seed: string): Promise<readonly FoundGenerated[]> {
    const computed = await readComputedPage(this.#view, this.#revision, seed);
    if (computed === undefined) return [];
    const pages = await readGeneratedPages(this.#view, this.#organization, this.#revision, computed);
    return withAncestors(pages, titlesAbove(computed));
  }
}

function titlesAbove({ above }: ComputedPage): string[] {
  return above.map(({ title }) => title);
}

function withAncestors(pages: readonly PlacedPage[], ancestors: readonly string[]): FoundGenerated[] {
  return pages.flatMap((page) => [
    { page, ancestors },
    ...withAncestors(page.children, [...ancestors, page.page.title]),
  ]);
}
