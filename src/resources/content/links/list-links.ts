import { invalid, notFound } from '../../../errors/problem.ts';
import { defaultLimit, pageOfArray, type Page, type PageQuery } from '../../../core/listing.ts';
import type { Static } from '../../../contract/schema.ts';
import type { LinkStats } from '../../spaces/contract.ts';
import { readFile, readPage } from '../../../content/revisions.ts';
import { countBroken, type LinkIndex, type SourceEntry } from '../../../content/links/link-index.ts';
import { openLinks } from '../../../content/links/index.ts';
import { readLinkers } from '../../../content/links/linkers.ts';
import { namesOf, type LinkTargetId } from '../../../content/links/link-targets.ts';
import { LinkShaper, type BacklinkBody, type LinkBody, type LinkStatus } from './shape-link.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

/** What a list of links takes. */
export interface LinksQuery extends PageQuery {
  readonly status?: LinkStatus | undefined;
}
type Links = Page<LinkBody> & { readonly stats: Static<typeof LinkStats> };
type LinksWithoutCount = Omit<Links, 'count'> & { readonly count?: number };

/** The links of a whole content, by page and then by place in the page. A page of them reads about what it shows. */
export async function listLinks(content: ContentSource, query: LinksQuery): Promise<LinksWithoutCount> {
  const index = await openLinks(content);
  const { total, totalBroken } = index;
  const { status } = query;
  const from = query.page === undefined ? undefined : readCursor(query.page);
  const found = await collectLinks(
    content,
    index.sources({ from: from?.thing, broken: status === 'broken' }),
    from,
    query,
  );
  // How many there are of the other two is known to nobody before all of them are looked at.
  const count = status === undefined ? { count: total } : status === 'broken' ? { count: totalBroken } : {};
  return {
    ...found,
    ...count,
    stats: { total, broken: { total: totalBroken, ...(await countNewlyBroken(content, index)) } },
  };
}

/** The links of one page. */
export async function listLinksOfPage(content: ContentSource, id: string, query: LinksQuery): Promise<Links> {
  if ((await readPage(content.tx, revisionOf(content), id)) === undefined) throw notFound('page', id);
  const index = await openLinks(content);
  const source = (await index.get('sources', `page:${id}`)) ?? { id: `page:${id}`, links: [] };
  const shaper = await LinkShaper.of(content);
  const { status } = query;
  const kept =
    status === undefined
      ? source.links
      : source.links.filter((link) => shaper.statusOf(source, link) === status);
  const from = query.page === undefined ? undefined : readCursor(query.page);
  if (from !== undefined && from.thing !== source.id) throw wrongCursor();
  const found = await collectLinks(content, [source], from, query);
  const changed =
    content.changeRequest === undefined ? {} : { changeRequest: await index.newlyBroken(`page:${id}`) };
  return {
    ...found,
    count: kept.length,
    stats: { total: source.links.length, broken: { total: countBroken(source), ...changed } },
  };
}

/** The pages that link to a page, each once. */
export async function listBacklinksOfPage(
  content: ContentSource,
  id: string,
  query: PageQuery,
): Promise<Page<BacklinkBody>> {
  if ((await readPage(content.tx, revisionOf(content), id)) === undefined) throw notFound('page', id);
  const index = await openLinks(content);
  return listBacklinks(content, index, `page:${id}`, (await index.get('sources', `page:${id}`)) ?? {}, query);
}

/** The pages that link to a file or show it, each once. */
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
    file.git === undefined ? {} : { git: file.git.path },
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
  const { items, ...page } = pageOfArray(
    [...linkers].sort().map((id) => ({ id })),
    query,
  );
  const shaper = await LinkShaper.of(content);
  const shaped: BacklinkBody[] = [];
  for (const { id } of items)
    shaped.push(await shaper.backlink((await index.get('sources', id)) ?? { id, links: [] }, thing));
  return { ...page, items: shaped };
}

interface LinkLocation {
  readonly thing: LinkTargetId;
  readonly offset: number;
}

/** Links from a place on, until there are enough. */
async function collectLinks(
  content: ContentSource,
  sources: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
  from: LinkLocation | undefined,
  { status, limit = defaultLimit }: LinksQuery,
): Promise<{ items: LinkBody[]; next?: { page: string } }> {
  const shaper = await LinkShaper.of(content);
  const items: LinkBody[] = [];
  let last: LinkLocation | undefined;
  for await (const source of sources) {
    const thing = source.id;
    const start = from?.thing === thing ? from.offset + 1 : 0;
    for (const [offset, link] of source.links.entries()) {
      if (offset < start) continue;
      if (status !== undefined && shaper.statusOf(source, link) !== status) continue;
      if (items.length === limit)
        return { items, ...(last === undefined ? {} : { next: { page: writeCursor(last) } }) };
      items.push(await shaper.link(source, link));
      last = { thing, offset };
    }
  }
  return { items };
}

async function countNewlyBroken(
  content: ContentSource,
  index: LinkIndex,
): Promise<{ changeRequest?: number }> {
  return content.changeRequest === undefined ? {} : { changeRequest: await index.newlyBroken() };
}

function writeCursor({ thing, offset }: LinkLocation): string {
  return Buffer.from(`${offset} ${thing}`).toString('base64url');
}

function readCursor(page: string): LinkLocation {
  const text = Buffer.from(page, 'base64url').toString();
  const [, offset, thing] = /^(\d{1,9}) (\w+:[\w-]+)$/.exec(text) ?? [];
  if (thing === undefined) throw wrongCursor();
  return { thing, offset: Number(offset) };
}

function wrongCursor() {
  return invalid(
    '/query/page',
    'The value of page is not one that this list gave.',
    'Take it from next.page of the page before, with the same filters.',
  );
}
