import type { Value } from '../../conditions/values.ts';
import type { Api } from '../../contract/api.ts';
import { eachItem, listAll } from '../../contract/each-page.ts';
import { listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { listShareLinks } from '../../resources/site-share-links/contract.ts';
import { getSite, listSites } from '../../resources/sites/contract.ts';
import { describeUnknownClaims } from '../commands/sites/claims.ts';
import { resolveOrganization } from '../names/names.ts';
import type { Session } from '../session/session.ts';
import type { OpenSource, SiteParams } from './create-source.ts';
import { readerOf } from './reader.ts';
import { servePreview } from './serve-preview.ts';

interface PreviewView {
  /** 0 takes any free port. */
  readonly port: number;
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  /** The key of a share link. */
  readonly shareLink: string | undefined;
  readonly opensBrowser: boolean;
}

/** An existing site, or the name of one that a manifest may create. */
type SiteChoice =
  | { readonly params: SiteParams }
  | { readonly given: string | undefined; readonly params?: undefined };

/** Shows a source until the command is stopped, and closes the source. */
export async function runPreview(
  session: Session,
  source: OpenSource,
  { claims, shareLink, port, opensBrowser, ...choice }: SiteChoice & PreviewView,
): Promise<void> {
  try {
    await source.update();
    // The copy of a server's site lacks some data, such as the keys of share links.
    const api = session.settings.server === undefined ? readerOf(session, source.core) : await session.api();
    const params = choice.params ?? (await findSite(session, api, source.organization, choice.given));
    const site = await api.call(getSite, { params });
    const unknown = claims === undefined ? undefined : describeUnknownClaims(site);
    if (unknown !== undefined) session.note(unknown);
    const base = shareLink === undefined ? '/' : await shareBase(api, params, shareLink);
    await servePreview(session, {
      source,
      title: site.title,
      params,
      base,
      claims: (claims ?? {}) as Readonly<Record<string, Value>>,
      port,
      opensBrowser,
      interval: 250,
    });
  } finally {
    await source.close();
  }
}

/** Finds a site in an organization that a manifest was applied to. @throws Problem(not-found), Problem(ambiguous) */
async function findSite(
  session: Session,
  api: Api,
  organization: string | undefined,
  given: string | undefined,
): Promise<SiteParams> {
  const organizationId = organization ?? (await resolveOrganization(session));
  const named = given ?? session.settings.site?.value;
  const sites = await listAll(api, listSites, { params: { organizationId } });
  const found = sites.filter(
    ({ id, title, basename }) =>
      named === undefined || id === named || isSameName(named, title) || isSameName(named, basename),
  );
  const [site, ...others] = found;
  const what = named === undefined ? 'site' : `site "${named}"`;
  if (site === undefined)
    throw new Problem('not-found', `There is no ${what}, and the manifest does not create it.`, {
      hint: 'To see the sites, run `docsctl sites list`.',
    });
  if (others.length > 0)
    throw new Problem('ambiguous', `There is more than one ${what} once the manifest is applied.`, {
      hint: `Name one by its ID: ${listSome(found.map(({ id, title }) => `${id} (${title})`))}.`,
    });
  return { organizationId, siteId: site.id };
}

function isSameName(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** Returns the path of a share link in the preview. @throws Problem(not-found) for an unknown key */
async function shareBase(api: Api, params: SiteParams, key: string): Promise<string> {
  for await (const { active, urls } of eachItem(api, listShareLinks, { params }))
    if (active && urls.published?.endsWith(`/${key}/`) === true && key !== '') return `/${key}/`;
  throw new Problem('not-found', `No active share link of the site has the key "${key.slice(0, 60)}".`, {
    hint: 'The key is the last part of the address of a link, which `docsctl sites share-links list` shows.',
  });
}
