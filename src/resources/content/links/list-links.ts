import { invalid, notFound } from '../../../errors/problem.ts';
import { pageOfArray, type Page, type PageQuery } from '../../../core/listing.ts';
import { defaultLimit } from '../../../contract/operation.ts';
import type { Static } from '../../../contract/schema.ts';
import type { LinkStats } from './schemas.ts';
import { readFile, readPage } from '../../../content/revisions.ts';
import {
  countBroken,
  countMissingAnchors,
  type IndexedLink,
  type LinkIndex,
  type SourceEntry,
} from '../../../content/links/link-index.ts';
import { specs } from '../../../content/generated/specification-rows.ts';
import { findOne } from '../../../core/store.ts';
import { openLinks } from '../../../content/links/index.ts';
import { readLinkCounts, readLinkers } from '../../../content/links/linkers.ts';
import {
  namesOf,
  resolveHref,
  spaceName,
  specificationOf,
  specificationsName,
  type LinkTargetId,
} from '../../../content/links/link-targets.ts';
import { idOf, LinkShaper, type BacklinkBody, type LinkBody, type LinkStatus } from './shape-link.ts';
import { defined } from '../../../contract/values.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

export interface LinksQuery extends PageQuery {
  readonly status?: LinkStatus | undefined;
  /** Whether a link to a missing anchor is broken. */
  readonly anchors?: boolean;
}
type Links = Page<LinkBody> & { readonly stats: Static<typeof LinkStats> };
type LinksWithoutCount = Omit<Links, 'count'> & { readonly count?: number };

/** Lists the links of a whole content, sorted by page and by position in it. Reads little more than it returns. */
export async function listLinks(content: ContentSource, query: LinksQuery): Promise<LinksWithoutCount> {
  const index = await openLinks(content);
  const { total } = index;
  const { status, anchors = false } = query;
  const missing = await findMissingSpecifications(content, index);
  const missingCount = [...missing.values()].reduce((sum, links) => sum + links, 0);
  const totalBroken = index.totalBroken + (anchors ? index.missingAnchors : 0) + missingCount;
  const from = readCursor(query.page);
  const others = new Set<LinkTargetId>();
  if (status === 'broken')
    for (const name of missing.keys())
      for (const linker of await readLinkers(index, name)) others.add(linker);
  const sources = index.sources({ from: from?.thing, broken: status === 'broken', others });
  const found = await collectLinks({ content, index, missing }, sources, from, query);
  // The other statuses are not indexed. Counting them would need every link, unless the first page contains all links.
  const isWhole = from === undefined && found.next === undefined && query.limit !== 0;
  const counted = isWhole ? found.items.length : undefined;
  const count = status === undefined ? total : status === 'broken' ? totalBroken : counted;
  return {
    ...found,
    ...defined({ count }),
    stats: {
      total,
      broken: { total: totalBroken, ...(await countNewlyBroken(content, index, { anchors })) },
    },
  };
}

/** Returns the names of the specifications that links lead to and that do not exist, with the number of links to each. */
async function findMissingSpecifications(
  { tx, space }: ContentSource,
  index: LinkIndex,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [name, links] of Object.entries(await readLinkCounts(index, specificationsName)))
    if ((await findOne(tx, specs, 'bySlug', [space.organization, idOf(name)])) === undefined)
      found.set(name, links);
  return found;
}

/** Lists the links of one page. */
export async function listLinksOfPage(content: ContentSource, id: string, query: LinksQuery): Promise<Links> {
  const index = await openLinks(content);
  const source = await sourceOf(content, index, id);
  const { status, anchors = false } = query;
  const missing = await findMissingSpecifications(content, index);
  const shaper = await LinkShaper.of(content, { anchors, index, missing: new Set(missing.keys()) });
  const hasStatus = (link: IndexedLink) => status === undefined || shaper.statusOf(source, link) === status;
  const from = readCursor(query.page);
  if (from !== undefined && from.thing !== source.id) throw wrongCursor();
  const found = await collectLinks({ content, index, missing }, [source], from, query);
  const missingCount = source.links.filter(({ href }) => missing.has(specificationOf(href) ?? '')).length;
  return {
    ...found,
    count: source.links.filter(hasStatus).length,
    stats: {
      total: source.links.length,
      broken: {
        total: countBroken(source) + (anchors ? countMissingAnchors(source) : 0) + missingCount,
        ...(await countNewlyBroken(content, index, { anchors, page: source.id })),
      },
    },
  };
}

/** Lists each page that links to a page. */
export async function listBacklinksOfPage(
  content: ContentSource,
  id: string,
  query: PageQuery,
): Promise<Page<BacklinkBody>> {
  const index = await openLinks(content);
  return listBacklinks(content, index, `page:${id}`, await sourceOf(content, index, id), query);
}

/** Lists each page that links to a file or shows it. */
export async function listBacklinksOfFile(
  content: ContentSource,
  id: string,
  query: PageQuery,
): Promise<Page<BacklinkBody>> {
  const file = await readFile(content.tx, revisionOf(content), id);
  if (file === undefined) throw notFound('file', id);
  return listBacklinks(
    content,
    await openLinks(content),
    `file:${id}`,
    defined({ git: file.git?.path }),
    query,
  );
}

async function listBacklinks(
  content: ContentSource,
  index: LinkIndex,
  thing: LinkTargetId,
  place: { path?: string; git?: string },
  query: PageQuery,
): Promise<Page<BacklinkBody>> {
  const linkers = new Set<LinkTargetId>();
  for (const name of namesOf(thing, place).keys()) {
    if ((await index.winner(name)) !== thing) continue;
    for (const linker of await readLinkers(index, name)) linkers.add(linker);
  }
  const { id: space } = content.space;
  const findLink = (source: SourceEntry) => findLinkTo(index, space, source, thing);
  for (const linker of await readLinkers(index, spaceName(space))) {
    const source = await index.get('sources', linker);
    if (source !== undefined && (await findLink(source)) !== undefined) linkers.add(linker);
  }
  const { items, ...page } = pageOfArray(
    [...linkers].sort().map((id) => ({ id })),
    query,
  );
  const shaper = await LinkShaper.of(content, { index });
  const shaped: BacklinkBody[] = [];
  for (const { id } of items) {
    const source = (await index.get('sources', id)) ?? { id, links: [] };
    shaped.push(await shaper.backlink(source, await findLink(source)));
  }
  return { ...page, items: shaped };
}

/**
 * Finds the first link of a source to a target. The link may also use the address of the application, with the ID of the space.
 */
async function findLinkTo(
  index: LinkIndex,
  space: string,
  source: SourceEntry,
  thing: LinkTargetId,
): Promise<IndexedLink | undefined> {
  for (const link of source.links) {
    if (link.to === thing) return link;
    const target = resolveHref(source.id, source, link.href);
    const inApp = target.kind === 'name' ? undefined : target.space;
    if (inApp?.id !== space || inApp.name === undefined) continue;
    if ((await index.winner(inApp.name)) === thing) return link;
  }
  return undefined;
}

/** Returns the links of a page, which may be generated from a specification. @throws Problem(not-found) */
async function sourceOf(content: ContentSource, index: LinkIndex, id: string): Promise<SourceEntry> {
  const source = await index.get('sources', `page:${id}`);
  if (source !== undefined) return source;
  if ((await readPage(content.tx, revisionOf(content), id)) === undefined) throw notFound('page', id);
  return { id: `page:${id}`, links: [] };
}

interface LinkLocation {
  readonly thing: LinkTargetId;
  readonly offset: number;
}

/** Collects links after a position, up to the limit of the query. */
async function collectLinks(
  {
    content,
    index,
    missing,
  }: { content: ContentSource; index: LinkIndex; missing: ReadonlyMap<string, number> },
  sources: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
  from: LinkLocation | undefined,
  { status, anchors = false, limit = defaultLimit }: LinksQuery,
): Promise<{ items: LinkBody[]; next?: { page: string } }> {
  const shaper = await LinkShaper.of(content, { anchors, index, missing: new Set(missing.keys()) });
  const items: LinkBody[] = [];
  let last: LinkLocation | undefined;
  for await (const source of sources) {
    const thing = source.id;
    const start = from?.thing === thing ? from.offset + 1 : 0;
    for (const [offset, link] of source.links.entries()) {
      if (offset < start) continue;
      if (status !== undefined && shaper.statusOf(source, link) !== status) continue;
      if (items.length === limit) return defined({ items, next: last && { page: writeCursor(last) } });
      items.push(await shaper.link(source, link));
      last = { thing, offset };
    }
  }
  return { items };
}

async function countNewlyBroken(
  { changeRequest }: ContentSource,
  index: LinkIndex,
  of: { anchors: boolean; page?: LinkTargetId },
): Promise<{ changeRequest?: number }> {
  return changeRequest === undefined ? {} : { changeRequest: await index.newlyBroken(of) };
}

function writeCursor({ thing, offset }: LinkLocation): string {
  return Buffer.from(`${offset} ${thing}`).toString('base64url');
}

function readCursor(page: string | undefined): LinkLocation | undefined {
  if (page === undefined) return undefined;
  const text = Buffer.from(page, 'base64url').toString();
  const [, offset, thing] = /^(\d{1,9}) (\w+:[\w-]+)$/.exec(text) ?? [];
  if (thing === undefined) throw wrongCursor();
  return { thing, offset: Number(offset) };
}

function wrongCursor() {
  return invalid(
    '/query/page',
    'The value of page is not a position in this list.',
    'Use next.page of the previous response, with the same filters.',
  );
}
