import type { ClaimSchema } from '../../../conditions/claims.ts';
import type { Api } from '../../../contract/api.ts';
import type { Static } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { getContent } from '../../../resources/content/space/contract.ts';
import { getAdaptiveSchema } from '../../../resources/site-adaptive-schema/contract.ts';
import { listShareLinks, type ShareLink } from '../../../resources/site-share-links/contract.ts';
import { getSite, getSiteStructure, type Site } from '../../../resources/sites/contract.ts';
import { eachPage } from '../../../contract/each-page.ts';
import type { SiteItem } from '../../../conditions/audience.ts';

type SiteParams = { readonly organizationId: string; readonly siteId: string };
interface StructureItem {
  readonly object: 'site-section-group' | 'site-section' | 'site-space';
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  readonly condition?: string;
  readonly children?: readonly StructureItem[];
  readonly siteSpaces?: readonly StructureItem[];
  readonly space?: { readonly id: string };
}

/** All that decides who sees what of a site. */
export interface SiteRead {
  readonly site: Static<typeof Site>;
  readonly schema: ClaimSchema | undefined;
  readonly items: readonly SiteItem[];
  readonly links: readonly Pick<Static<typeof ShareLink>, 'name' | 'active'>[];
  /** What could not be read, in words. */
  readonly notes: readonly string[];
}

/** Reads a site, its structure and the pages of its spaces; what the caller may not see is a note, not an end. */
export async function readSite(
  api: Api,
  params: SiteParams,
  pages: boolean,
  signal: AbortSignal,
): Promise<SiteRead> {
  const notes: string[] = [];
  const allowed = async <T>(
    work: Promise<T>,
    note: (problem: Problem) => string | undefined,
    otherwise: T,
  ): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Problem) || (error.reason !== 'forbidden' && error.reason !== 'not-found'))
        throw error;
      const words = note(error);
      if (words !== undefined) notes.push(words);
      return otherwise;
    }
  };
  const site = await api.call(getSite, { params }, { signal });
  const adaptive = await allowed(
    api.call(getAdaptiveSchema, { params }, { signal }),
    () => undefined,
    undefined,
  );
  const { structure } = await api.call(getSiteStructure, { params }, { signal });
  const links: Static<typeof ShareLink>[] = [];
  const readLinks = async (): Promise<void> => {
    for await (const { items } of eachPage((page) =>
      api.call(
        listShareLinks,
        { params, query: page === undefined ? { limit: 1000 } : { limit: 1000, page } },
        { signal },
      ),
    ))
      links.push(...items);
  };
  if (site.visibility === 'share-link')
    await allowed(
      readLinks(),
      () => 'Share links are left out: seeing them takes the role create.',
      undefined,
    );
  const contents = new Map<string, Pick<SiteItem, 'children' | 'variables'>>();
  const contentOf = async (
    space: string,
    title: string,
  ): Promise<Pick<SiteItem, 'children' | 'variables'>> => {
    const read = async (): Promise<Pick<SiteItem, 'children' | 'variables'>> => {
      const { pages: found, variables } = await api.call(
        getContent,
        { params: { spaceId: space }, query: { texts: false } },
        { signal },
      );
      return { children: found.map(pageItem), variables };
    };
    const content =
      contents.get(space) ??
      (await allowed(read(), () => `The pages of "${title}" are left out: you may not read that space.`, {
        children: [],
      }));
    contents.set(space, content);
    return content;
  };
  const readItem = async ({
    object,
    id,
    title,
    path,
    condition,
    children = [],
    siteSpaces = [],
    space,
  }: StructureItem): Promise<SiteItem> => {
    const inner: SiteItem[] = [];
    for (const item of [...children, ...siteSpaces]) inner.push(await readItem(item));
    return {
      object,
      id,
      title,
      path,
      condition,
      children: inner,
      ...(space === undefined || !pages ? {} : await contentOf(space.id, title)),
    };
  };
  const items: SiteItem[] = [];
  for (const item of structure as readonly StructureItem[]) items.push(await readItem(item));
  return { site, schema: adaptive?.jsonSchema, items, links, notes };
}

function pageItem({ id, title, path, condition, pages = [] }: PageBody): SiteItem {
  return { object: 'page', id, title, path, condition, children: pages.map(pageItem) };
}
