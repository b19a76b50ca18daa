import type { SiteItem } from '../../../conditions/audience.ts';
import type { ClaimSchema } from '../../../conditions/claims.ts';
import { isPage } from '../../../content/tree.ts';
import { listAll } from '../../../contract/each-page.ts';
import type { Static } from '../../../contract/schema.ts';
import { isProblem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { getContent } from '../../../resources/content/space/contract.ts';
import { getAdaptiveSchema } from '../../../resources/site-adaptive-schema/contract.ts';
import { listShareLinks, type ShareLink } from '../../../resources/site-share-links/contract.ts';
import { getSite, getSiteStructure, type Site } from '../../../resources/sites/contract.ts';
import type { Session } from '../../session/session.ts';
import type { StructureItem } from './structure.ts';

/** Everything that decides which visitors see which parts of a site. */
export interface SiteRead {
  readonly site: Static<typeof Site>;
  readonly schema: ClaimSchema | undefined;
  readonly items: readonly SiteItem[];
  readonly links: readonly Pick<Static<typeof ShareLink>, 'name' | 'active'>[];
  /** Notes about parts that could not be read. */
  readonly notes: readonly string[];
}

type SpaceItems = Pick<SiteItem, 'children' | 'variables'>;

/** Reads a site, its structure and, if requested, the pages of its spaces. Parts that the caller may not see become notes. */
export async function readSite(
  session: Session,
  params: { organizationId: string; siteId: string },
  withPages: boolean,
): Promise<SiteRead> {
  const notes: string[] = [];
  /** Returns undefined and adds the note if the caller may not read it. */
  const readAllowed = async <T>(read: Promise<T>, note?: string): Promise<T | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (!isProblem(error, 'forbidden', 'not-found')) throw error;
      if (note !== undefined) notes.push(note);
      return undefined;
    }
  };
  const site = await session.call(getSite, { params });
  const adaptive = await readAllowed(session.call(getAdaptiveSchema, { params }));
  const { structure } = await session.call(getSiteStructure, { params });
  const links =
    site.visibility !== 'share-link'
      ? []
      : ((await readAllowed(
          listAll(session, listShareLinks, { params }),
          'Share links are left out: to list them, you need the create role on the site and the read role on all of its spaces.',
        )) ?? []);
  const spaces = new Map<string, SpaceItems>();
  const readSpace = async (spaceId: string, title: string): Promise<SpaceItems> => {
    const known = spaces.get(spaceId);
    if (known !== undefined) return known;
    const content = await readAllowed(
      session.call(getContent, { params: { spaceId }, query: { texts: false } }),
      `The pages of "${title}" are left out: you cannot read this space.`,
    );
    const items =
      content === undefined
        ? { children: [] }
        : { children: content.pages.map(pageItem), variables: content.variables };
    spaces.set(spaceId, items);
    return items;
  };
  const readItem = async (item: StructureItem): Promise<SiteItem> => {
    const { object, id, title, path, condition, space } = item;
    const children: SiteItem[] = [];
    for (const inner of [...(item.children ?? []), ...(item.siteSpaces ?? [])])
      children.push(await readItem(inner));
    const content = space === undefined || !withPages ? {} : await readSpace(space.id, title);
    return { object, id, title, path, condition, children, ...content };
  };
  const items: SiteItem[] = [];
  for (const item of structure as readonly StructureItem[]) items.push(await readItem(item));
  return { site, schema: adaptive?.jsonSchema, items, links, notes };
}

function pageItem(page: PageBody): SiteItem {
  const { id, title, path, condition, pages = [] } = page;
  return { object: 'page', id, title, path, condition, isPage: isPage(page), children: pages.map(pageItem) };
}
