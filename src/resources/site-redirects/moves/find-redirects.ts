import { comparable, pathOnSite, patternOf } from '../../../core/redirect-paths.ts';
import { diffRevisions } from '../../../content/revisions.ts';
import type { PageEntry } from '../../../content/rows.ts';
import type { EntryChange } from '../../../content/trie.ts';
import type { ReadTransaction } from '../../../core/store.ts';
import type { RedirectDestination, SiteRedirectRow } from '../rows.ts';
import { encodePath } from '../../site-structure/paths.ts';
import type { AddressReader } from './page-addresses.ts';
import { isOwnPath, leadsSomewhere, pageAt, placeAt, type SitePlace } from './site-places.ts';

/** A change of the redirects of a site that keeps old addresses working. */
export interface RedirectChange {
  readonly action: 'create' | 'replace' | 'delete';
  readonly source: string;
  readonly captureWildcard: boolean;
  readonly destination: RedirectDestination;
  /** The path on the site to which it leads; absent for a deleted redirect. */
  readonly target?: string;
  /** The path of the page to which it leads, in its space. */
  readonly pagePath?: string;
  readonly row?: SiteRedirectRow;
}

interface ChangedSite {
  readonly before: readonly SitePlace[];
  readonly after: readonly SitePlace[];
  /** The live redirects of the site. */
  readonly redirects: readonly SiteRedirectRow[];
  /** The URLs of the site, with a trailing slash. */
  readonly addresses: readonly string[];
}

/** Maximum length of a source. A longer one cannot be stored. */
const maxSource = 512;

/**
 * Finds the redirects that a change of a site needs so that the old addresses of moved content keep working: of pages by their
 * IDs, and of whole spaces. Addresses that the site still has, and removed pages, need none.
 */
export async function findRedirects(
  view: ReadTransaction,
  readAddresses: AddressReader,
  site: ChangedSite,
): Promise<RedirectChange[]> {
  const finder = new RedirectFinder(readAddresses, site);
  for (const place of site.after) {
    const old = site.before.find(({ id }) => id === place.id);
    if (old?.space === place.space) await finder.addPlace(old, place, await changesBetween(view, old, place));
  }
  // The pages of a removed place may be shown elsewhere on the site.
  for (const old of site.before) {
    if (site.after.some(({ id }) => id === old.id)) continue;
    const other = site.after.find(({ space }) => space === old.space);
    if (other !== undefined) await finder.addPlace(old, other, await changesBetween(view, old, other));
    if (other !== undefined) finder.replacePlace(old, other);
  }
  return finder.finish();
}

async function changesBetween(
  view: ReadTransaction,
  { revision: from }: SitePlace,
  { revision: to }: SitePlace,
): Promise<readonly EntryChange[]> {
  return from === to ? [] : diffRevisions(view, from, to);
}

class RedirectFinder {
  readonly #read: AddressReader;
  readonly #site: ChangedSite;
  readonly #changes = new Map<string, RedirectChange>();
  readonly #live: ReadonlyMap<string, SiteRedirectRow>;
  /** IDs of new pages by the IDs of the removed pages that they replace. */
  readonly #recreated = new Map<string, string>();
  /** Places that show the spaces of removed places, by the IDs of the removed ones. */
  readonly #replaced = new Map<string, SitePlace>();
  #isMoved = false;

  constructor(read: AddressReader, site: ChangedSite) {
    this.#read = read;
    this.#site = site;
    this.#live = new Map(site.redirects.map((row) => [row.key, row]));
  }

  /** Adds the redirects for a space of the site whose path or pages changed. */
  async addPlace(old: SitePlace, place: SitePlace, changes: readonly EntryChange[]): Promise<void> {
    const isRebased = comparable(old.base) !== comparable(place.base);
    const { isMoved, isAdded } = movesIn(changes);
    if (isRebased || isMoved || isAdded) this.#isMoved = true;
    if (!isRebased && !isMoved) return;
    const isWhole = isRebased && this.#canRedirectWhole(old);
    if (isWhole) await this.#addWhole(old, place);
    for (const [id, other] of recreatedIn(changes)) this.#recreated.set(id, other);
    const bases = [old.base, ...this.#formerBases(place)];
    const before = await this.#read(old.revision);
    const after = await this.#read(place.revision);
    for (const [id, { path }] of before.byId) {
      const pageId = after.byId.has(id) ? id : this.#recreated.get(id);
      const page = pageId === undefined ? undefined : after.byId.get(pageId);
      if (pageId === undefined || page === undefined) continue;
      const isSamePath = comparable(path) === comparable(page.path);
      if (isSamePath && (isWhole || !isRebased)) continue;
      // Visitors got another space at the path of the page.
      if (placeAt(this.#site.before, old.base + encodePath(path))?.id !== old.id) continue;
      // A wildcard redirect from a former path of the space leads to the path that the page had until now.
      for (const base of isSamePath ? [old.base] : bases)
        await this.#add({
          action: 'create',
          source: base + encodePath(path),
          captureWildcard: false,
          destination: { kind: 'site-page', siteSpaceId: place.id, pageId },
          target: place.base + encodePath(page.path),
          pagePath: page.path,
        });
    }
  }

  /** Lets redirects to a removed place lead to another place of the same space. */
  replacePlace(old: SitePlace, other: SitePlace): void {
    this.#replaced.set(old.id, other);
  }

  /** Returns all changed redirects, by source. */
  async finish(): Promise<RedirectChange[]> {
    if (this.#isMoved) for (const row of this.#site.redirects) await this.#review(row);
    return [...this.#changes.values()].sort((one, other) => (one.source < other.source ? -1 : 1));
  }

  /** Returns paths from which a wildcard redirect leads to a space. */
  #formerBases({ id }: SitePlace): string[] {
    return this.#site.redirects.flatMap(({ source, captureWildcard, destination }) =>
      captureWildcard &&
      source.endsWith('/*') &&
      destination.kind === 'site-space' &&
      destination.siteSpaceId === id
        ? [source.slice(0, -1)]
        : [],
    );
  }

  /** Whether one wildcard redirect can cover all old addresses of a space: no space of the site is below its old path now. */
  #canRedirectWhole({ base }: SitePlace): boolean {
    return (
      base !== '/' && !this.#site.after.some((other) => comparable(other.base).startsWith(comparable(base)))
    );
  }

  async #addWhole(old: SitePlace, { id, base: target }: SitePlace): Promise<void> {
    const destination = { kind: 'site-space', siteSpaceId: id } as const;
    const start = { action: 'create', captureWildcard: false, destination, target } as const;
    await this.#add({ ...start, source: old.base.slice(0, -1) });
    await this.#add({ ...start, source: `${old.base}*`, captureWildcard: true });
  }

  /** Adds a redirect, unless its source is an address of the site, or has a working redirect of the owner. */
  async #add(change: RedirectChange): Promise<void> {
    const { key, prefix } = patternOf(change.source);
    if (change.source.length > maxSource || this.#changes.has(key)) return;
    if (isOwnPath(this.#site.after, change.source)) return;
    if (prefix === undefined && (await pageAt(this.#site.after, change.source, this.#read)) !== undefined)
      return;
    const row = this.#live.get(key);
    if (row === undefined) this.#changes.set(key, change);
    else if (!(await leadsSomewhere(row.destination, this.#site.after, this.#read)))
      this.#changes.set(key, { ...change, action: 'replace', row });
  }

  /** Deletes a redirect whose source is now an address of the site. Updates a redirect whose destination has moved. */
  async #review(row: SiteRedirectRow): Promise<void> {
    const { source, key, prefix, captureWildcard, destination } = row;
    if (this.#changes.has(key)) return;
    const isBack =
      prefix === undefined
        ? (await pageAt(this.#site.after, source, this.#read)) !== undefined &&
          (await pageAt(this.#site.before, source, this.#read)) === undefined
        : captureWildcard && this.#leadsToItself(prefix, destination);
    const place = captureWildcard ? this.#placeOf(destination) : undefined;
    const isTaken = (places: readonly SitePlace[]) =>
      places.some(({ base, id }) => comparable(base) === prefix && id !== place?.id);
    if (place !== undefined && isTaken(this.#site.after) && !isTaken(this.#site.before)) {
      // The path now belongs to another space. With a star, two such redirects could lead to each other.
      this.#changes.set(key, { action: 'delete', source, captureWildcard, destination, row });
      for (const [pageId, { path }] of (await this.#read(place.revision)).byId)
        await this.#add({
          action: 'create',
          source: source.slice(0, -1) + encodePath(path),
          captureWildcard: false,
          destination: { kind: 'site-page', siteSpaceId: place.id, pageId },
          target: place.base + encodePath(path),
          pagePath: path,
        });
    } else if (isBack)
      this.#changes.set(key, { action: 'delete', source, captureWildcard, destination, row });
    else await this.#shorten(row);
  }

  /** Returns the place of the space to which a redirect leads; undefined for other destinations. */
  #placeOf(destination: RedirectDestination): SitePlace | undefined {
    return destination.kind === 'site-space'
      ? this.#site.after.find(({ id }) => id === destination.siteSpaceId)
      : undefined;
  }

  #leadsToItself(prefix: string, destination: RedirectDestination): boolean {
    const place = this.#placeOf(destination);
    return place !== undefined && comparable(place.base) === prefix;
  }

  async #shorten(row: SiteRedirectRow): Promise<void> {
    const { source, key, captureWildcard, destination } = row;
    if (destination.kind === 'site-page' || destination.kind === 'site-space') {
      const { siteSpaceId } = destination;
      const pageId = destination.kind === 'site-page' ? destination.pageId : undefined;
      const newId = pageId === undefined ? undefined : (this.#recreated.get(pageId) ?? pageId);
      const other = this.#replaced.get(siteSpaceId);
      if (other === undefined && newId === pageId) return;
      const place = other ?? this.#site.after.find(({ id }) => id === siteSpaceId);
      if (place === undefined) return;
      const change = { action: 'replace', source, captureWildcard, row } as const;
      if (newId === undefined) {
        const to = { kind: 'site-space', siteSpaceId: place.id } as const;
        this.#changes.set(key, { ...change, destination: to, target: place.base });
        return;
      }
      const page = (await this.#read(place.revision)).byId.get(newId);
      if (page === undefined) return;
      const to = { kind: 'site-page', siteSpaceId: place.id, pageId: newId } as const;
      this.#changes.set(key, { ...change, destination: to, target: place.base + encodePath(page.path) });
    } else if (destination.kind === 'external' && !captureWildcard) {
      const path = pathOnSite(this.#site.addresses, destination.url);
      const next = path === undefined ? undefined : this.#changes.get(comparable(path));
      if (next?.target === undefined || next.captureWildcard) return;
      this.#changes.set(key, { action: 'replace', source, captureWildcard, destination: next.destination, target: next.target, row }); // prettier-ignore
    }
  }
}

/** Whether changes move or remove pages, and whether they add pages. */
function movesIn(changes: readonly EntryChange[]): { isMoved: boolean; isAdded: boolean } {
  let isMoved = false;
  let isAdded = false;
  for (const { before, after } of changes) {
    if (before?.kind !== 'page' && after?.kind !== 'page') continue;
    if (before?.kind !== 'page') isAdded = true;
    else if (after?.kind !== 'page') isMoved = true;
    else if (before.slug !== after.slug || before.parent !== after.parent) isMoved = true;
    // A group works as an address only if it has a first page, which may appear or disappear.
    else if (before.type !== after.type || before.hidden !== after.hidden) isAdded = true;
  }
  return { isMoved, isAdded };
}

/** Pairs removed pages with new ones that were created from the same file, or else have the same text. */
function recreatedIn(changes: readonly EntryChange[]): Map<string, string> {
  const gone: PageEntry[] = [];
  const added: PageEntry[] = [];
  for (const { before, after } of changes) {
    if (before?.kind === 'page' && after === undefined) gone.push(before);
    if (after?.kind === 'page' && before === undefined) added.push(after);
  }
  const pairs = new Map<string, string>();
  if (gone.length === 0 || added.length === 0) return pairs;
  const keys: readonly ((page: PageEntry) => string | undefined)[] = [
    ({ git }) => git?.path,
    // Empty texts cannot be matched.
    ({ blob, size }) => (size === 0 ? undefined : blob),
  ];
  const used = new Set<string>();
  for (const keyOf of keys) {
    const byKey = new Map<string, PageEntry | null>();
    for (const page of added) {
      const key = used.has(page.id) ? undefined : keyOf(page);
      if (key !== undefined) byKey.set(key, byKey.has(key) ? null : page);
    }
    for (const page of gone) {
      const other = pairs.has(page.id) ? undefined : byKey.get(keyOf(page) ?? '');
      if (other === undefined || other === null || used.has(other.id)) continue;
      pairs.set(page.id, other.id);
      used.add(other.id);
    }
  }
  return pairs;
}
