import { closed, optional, Type, type Static } from '../../contract/schema.ts';
import { chunk, defined, plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import {
  listSiteRedirects,
  maxBatch,
  upsertSiteRedirects,
  type SiteRedirect,
} from '../../resources/site-redirects/contract.ts';
import { SitePath } from '../../resources/site-spaces/contract.ts';
import { comparable } from '../../core/redirect-paths.ts';
import { siteOf, type Backend, type Body, type Call, type Field, type Located } from '../kind.ts';
import { callFor, reference } from './fields.ts';
import { pagesAtPlan, pagesNow, type PageReader } from './page-paths.ts';
import { inOrderOf } from './stated-order.ts';
import { callStructure, readStructure, type SiteSpaceBody, type Structure } from './structure.ts';

/** A redirect in the form of a manifest. Flags that are false are left out. */
export interface StatedRedirect {
  readonly source: string;
  readonly url?: string;
  /** Path of a section. */
  readonly section?: string;
  /** ID of a space that the site shows. */
  readonly space?: string;
  /** Path of a page of the space. */
  readonly path?: string;
  readonly permanent?: true;
  readonly captureWildcard?: true;
  readonly draft?: true;
}

type LiveRedirect = Static<typeof SiteRedirect>;
type Destination = LiveRedirect['destination'];

/** The sources that the API accepts. */
const sourcePattern = new RegExp(
  (upsertSiteRedirects.body.properties.redirects.items.properties.source as { pattern: string }).pattern,
);

/** The redirects of a site. The list is complete. */
export function redirectsField<R extends Body>(): Field<R> {
  return {
    schema: Type.Array(
      closed({
        source: Type.String({
          maxLength: 512,
          description:
            'path on the site, such as /old/page; a star at the end stands for the rest, as in /old/*',
        }),
        ...optional({
          url: Type.String({ format: 'uri', maxLength: 2048, description: 'URL that the redirect leads to' }),
          section: Type.String({
            ...SitePath,
            description: 'path of the section that the redirect leads to',
          }),
          space: reference('space of the site that the redirect leads to'),
          path: Type.String({
            maxLength: 2048,
            description: 'together with `space`: path of the page that the redirect leads to',
          }),
          permanent: Type.Boolean({ description: 'true: answer with status 308, which browsers remember' }),
          captureWildcard: Type.Boolean({
            description:
              'true: add the part of the path that the star stands for to the end of the destination',
          }),
          draft: Type.Boolean({ description: 'true: visitors are not redirected yet' }),
        }),
      }),
      {
        maxItems: 10_000,
        description: 'all redirects of the site, drafts included; []: none',
      },
    ),
    call: 'redirects',
    refersTo: 'space',
    isIndependent: true,
    followsDeletesOf: ['section', 'site-space'],
    default: [],
    equals: 'set',
    fetch: async (backend, at, stated) => {
      const structure = await readStructure(backend, at);
      const live = await readRedirects(backend, at);
      const sections = statedSections((stated ?? []) as StatedRedirect[]);
      return inOrderOf(
        (stated ?? []) as StatedRedirect[],
        await Promise.all(live.map((one) => toStated(one, sections, structure, pagesAtPlan(backend)))),
        keyOf,
      );
    },
    normalize: (value) => (value as StatedRedirect[]).map(normalize),
    check: (value, _, fault) => {
      const seen = new Set<string>();
      for (const [index, redirect] of (value as StatedRedirect[]).entries()) {
        const wrong = faultOfRedirect(redirect);
        if (wrong !== undefined)
          fault(wrong.message, wrong.field === undefined ? [index] : [index, wrong.field]);
        const key = keyOf(redirect);
        if (seen.has(key)) fault(`a redirect from "${redirect.source}" is already listed`, [index, 'source']);
        seen.add(key);
      }
    },
  };
}

/** Creates, changes and deletes redirects, so that exactly the stated ones remain. One call does 500 of them. */
export const redirectsCall: Call = {
  late: true,
  send: async (backend, at, { redirects }) => {
    const site: Located = { kind: 'site', id: siteOf(at) };
    const structure = withoutLeaving(await callStructure(backend, site), backend);
    const pages = pagesNow(backend);
    const live = new Map<string, StatedRedirect>();
    const sections = statedSections(redirects as StatedRedirect[]);
    for (const one of await readRedirects(backend, at)) {
      const stated = await toStated(one, sections, structure, pages);
      live.set(keyOf(stated), stated);
    }
    const wanted = new Map((redirects as StatedRedirect[]).map((one) => [keyOf(one), normalize(one)]));
    // Deletes come first, because the destination of a redirect may be the source of a deleted one.
    const items = [...live]
      .filter(([key]) => !wanted.has(key))
      .map(([, { source, draft }]): BatchItem => ({ source, intent: intentOf(draft), destination: null }));
    for (const [key, redirect] of wanted) {
      const { source, draft, permanent = false, captureWildcard = false } = redirect;
      if (isSameRedirect(live.get(key), redirect)) continue;
      const destination = await toDestination(redirect, structure, pages);
      items.push({ source, intent: intentOf(draft), permanent, captureWildcard, destination });
    }
    const refused: { source: string; error: string }[] = [];
    for (const part of chunk(items, maxBatch)) {
      const { results } = await callFor(backend, upsertSiteRedirects, site, { redirects: part });
      for (const { status, source, error } of results)
        if (status === 'error')
          refused.push({ source, error: (error ?? 'refused').replace(/^\/redirects\/\d+\S*: /, '') });
    }
    const [first] = refused;
    if (first === undefined) return;
    const others = refused.length > 1 ? `; ${plural(refused.length - 1, 'more redirect')} too` : '';
    throw new Problem(
      'conflict',
      `The redirect from "${first.source}" was refused: ${first.error}${others}`,
      {
        hint: 'The other redirects were set. Correct the manifest and apply again.',
        violations: refused.map(({ source, error }) => ({ path: source, message: error })),
      },
    );
  },
};

/** Removes the sections and spaces that the run will delete, so that no redirect leads to them. */
function withoutLeaving(structure: Structure, { leaving }: Backend): Structure {
  const stays = ({ id }: Body) => leaving?.has(id) !== true;
  const sections = structure.sections
    .filter(stays)
    .map((section) => ({ ...section, siteSpaces: section.siteSpaces.filter(stays) }));
  return { ...structure, sections, siteSpaces: structure.siteSpaces.filter(stays) };
}

type BatchItem = Static<(typeof upsertSiteRedirects)['body']>['redirects'][number];

function intentOf(draft: true | undefined): 'draft' | 'live' {
  return draft === true ? 'draft' : 'live';
}

/** Returns live redirects and drafts, sorted by source. */
export async function readRedirects(backend: Backend, at: Located): Promise<LiveRedirect[]> {
  const params = { organizationId: backend.organization, siteId: siteOf(at) };
  const list = (draft: boolean) =>
    backend.all(listSiteRedirects, { params, query: { draft, orderBy: 'source' } });
  return [...(await list(false)), ...(await list(true))];
}

function statedSections(redirects: readonly StatedRedirect[]): ReadonlyMap<string, string | undefined> {
  return new Map(redirects.map((one) => [keyOf(one), one.section]));
}

async function toStated(
  redirect: LiveRedirect,
  sections: ReadonlyMap<string, string | undefined>,
  structure: Structure,
  pages: PageReader,
): Promise<StatedRedirect> {
  const { source, destination, permanent, captureWildcard, draft } = redirect;
  const section = sections.get(`${draft ? 'draft' : 'live'} ${comparable(source)}`);
  return defined({
    source,
    ...(await toStatedDestination(destination, section, structure, pages)),
    permanent: permanent ? (true as const) : undefined,
    captureWildcard: captureWildcard ? (true as const) : undefined,
    draft: draft ? (true as const) : undefined,
  });
}

/** Names the section of a space only if it is stated or necessary. Deleted resources are named by their ID. */
async function toStatedDestination(
  destination: Destination,
  statedSection: string | undefined,
  { sections, siteSpaces }: Structure,
  pages: PageReader,
): Promise<Partial<StatedRedirect>> {
  if (destination.kind === 'external') return { url: destination.url };
  if (destination.kind === 'site-section') {
    const section = sections.find(({ id }) => id === destination.siteSectionId);
    return { section: section?.path ?? destination.siteSectionId };
  }
  const { siteSpaceId } = destination;
  const shown = places({ sections, siteSpaces }).find(({ siteSpace }) => siteSpace.id === siteSpaceId);
  if (shown === undefined)
    return { space: siteSpaceId, ...(destination.kind === 'site-page' && { path: destination.pageId }) };
  const space = shown.siteSpace.space.id;
  const isFirst = placesOf(space, { sections, siteSpaces })[0]?.siteSpace.id === siteSpaceId;
  return {
    ...(shown.section !== undefined &&
      (!isFirst || shown.section === statedSection) && { section: shown.section }),
    space,
    ...(destination.kind === 'site-page' && { path: (await pages(space)).pathOf(destination.pageId) }),
  };
}

/**
 * Returns the destination of a redirect in the form of the API. Errors name the space by `spaceName` (default: its title on the site).
 * @throws Problem(not-found) for a section, space or page that does not exist
 */
export async function toDestination(
  { url, section, space, path }: StatedRedirect,
  structure: Structure,
  pages: PageReader,
  spaceName = space,
): Promise<Destination> {
  if (url !== undefined) return { kind: 'external', url };
  const { sections } = structure;
  const found = section === undefined ? undefined : sections.find((one) => one.path === section);
  if (section !== undefined && found === undefined)
    throw new Problem('not-found', `The site has no section with the path "${section}".`, {
      hint: `Its sections have the paths: ${sections.map((one) => one.path).join(', ') || 'none'}.`,
    });
  if (space === undefined) return { kind: 'site-section', siteSectionId: found?.id ?? '' };
  const [shown] = placesOf(space, structure).filter(
    (place) => section === undefined || place.section === section,
  );
  if (shown === undefined)
    throw new Problem(
      'not-found',
      `The ${section === undefined ? 'site' : `section "${section}"`} does not show the space ${spaceName}.`,
      { hint: 'Add the space there, or choose another destination for the redirect.' },
    );
  const siteSpaceId = shown.siteSpace.id;
  if (path === undefined) return { kind: 'site-space', siteSpaceId };
  const name = spaceName === space ? JSON.stringify(shown.siteSpace.title) : spaceName;
  return { kind: 'site-page', siteSpaceId, pageId: (await pages(space)).idOf(path, name) };
}

/** A space of a site with its section. */
export interface Place {
  readonly siteSpace: SiteSpaceBody;
  /** Path of the section; undefined at the root of the site. */
  readonly section: string | undefined;
}

/** Lists the spaces that a site shows, in its order. */
export function places({ sections, siteSpaces }: Pick<Structure, 'sections' | 'siteSpaces'>): Place[] {
  return [
    ...sections.flatMap(({ path, siteSpaces: inside }) =>
      inside.map((siteSpace) => ({ siteSpace, section: path })),
    ),
    ...siteSpaces.map((siteSpace) => ({ siteSpace, section: undefined })),
  ];
}

function placesOf(space: string, structure: Pick<Structure, 'sections' | 'siteSpaces'>): Place[] {
  return places(structure).filter(({ siteSpace }) => siteSpace.space.id === space);
}

function normalize({ permanent, captureWildcard, draft, path, ...redirect }: StatedRedirect): StatedRedirect {
  return defined({
    ...redirect,
    path: path?.replace(/^\/+|\/+$/g, ''),
    permanent: permanent || undefined,
    captureWildcard: captureWildcard || undefined,
    draft: draft || undefined,
  });
}

function isSameRedirect(one: StatedRedirect | undefined, other: StatedRedirect): boolean {
  const fields = ['source', 'url', 'section', 'space', 'path', 'permanent', 'captureWildcard'] as const;
  return one !== undefined && fields.every((field) => one[field] === other[field]);
}

/** Returns the key of a redirect. Sources are compared without regard to case. */
function keyOf({ source, draft }: StatedRedirect): string {
  return `${intentOf(draft)} ${comparable(source)}`;
}

/** Returns half a sentence about the fault of a redirect, and the field with the fault; undefined if there is none. */
export function faultOfRedirect({
  source,
  url,
  section,
  space,
  path,
  captureWildcard,
}: StatedRedirect): { message: string; field?: string } | undefined {
  if (!sourcePattern.test(source))
    return {
      field: 'source',
      message: `"${source.slice(0, 80)}" is not a path of a site, such as /old/page or /old/*; write characters other than letters, digits and -._~+ as %XX`,
    };
  if (url === undefined && section === undefined && space === undefined)
    return { message: 'this needs a destination: "url", "section" or "space"' };
  if (url !== undefined && (section !== undefined || space !== undefined))
    return { field: 'url', message: 'a redirect leads to a URL or into the site; remove one of the two' };
  if (url !== undefined && !/^https?:\/\//i.test(url))
    return {
      field: 'url',
      message: 'a redirect can lead only to a URL that starts with https:// or http://',
    };
  if (path !== undefined && space === undefined)
    return { field: 'path', message: '"path" names a page of a space; add "space"' };
  if (captureWildcard === true && !source.endsWith('*'))
    return {
      field: 'captureWildcard',
      message: `the source "${source}" has no star, so there is nothing to append; end it with a star, or remove "captureWildcard"`,
    };
  return undefined;
}
