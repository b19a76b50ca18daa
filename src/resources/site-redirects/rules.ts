import { defined } from '../../contract/values.ts';
import type { ResourceScope, UrlContext, WriteContext } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { findOne, getOwned, type ReadTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { readerAddress, siteAddresses } from '../sites/address.ts';
import { pathOnSite, patternOf } from '../../core/redirect-paths.ts';
import { decodedCapture, findRedirect } from './match.ts';
import { addressReader } from './moves/page-addresses.ts';
import { isOwnPath, pageAt, readPlaces } from './moves/site-places.ts';
import { siteRedirects, type SiteRedirectRow } from './rows.ts';
import { appendPath, checkDestination, targetOf, type InputDestination } from './targets.ts';

type RedirectContext = WriteContext &
  UrlContext &
  Pick<ResourceScope, 'organization'> & { readonly site: SiteRow };

export interface RedirectFields {
  readonly source?: string;
  readonly captureWildcard?: boolean;
  readonly permanent?: boolean;
  readonly draft?: boolean;
  readonly destination?: InputDestination;
}

/** Returns a redirect of a site. @throws Problem(not-found) */
export function redirectOf(view: ReadTransaction, site: string, id: string): Promise<SiteRedirectRow> {
  return getOwned(view, siteRedirects, id, { site }, 'redirect');
}

/** Returns the redirect of a source, live or draft. */
export function redirectFrom(
  view: ReadTransaction,
  site: string,
  state: SiteRedirectRow['state'],
  source: string,
): Promise<SiteRedirectRow | undefined> {
  return findOne(view, siteRedirects, 'byKey', [site, state, patternOf(source).key]);
}

/** Adds a redirect. @throws Problem(invalid-input), Problem(conflict) if its source already has a redirect */
export async function insertRedirect(
  context: RedirectContext,
  fields: RedirectFields & { source: string; destination: InputDestination },
): Promise<SiteRedirectRow> {
  const { tx, site, now } = context;
  const row: SiteRedirectRow = {
    id: context.newId('redir'),
    organization: site.organization,
    site: site.id,
    state: fields.draft === true ? 'draft' : 'live',
    source: fields.source,
    ...patternOf(fields.source),
    captureWildcard: fields.captureWildcard ?? false,
    permanent: fields.permanent ?? false,
    destination: await checkDestination(tx, site, fields.destination),
    createdAt: now,
    changedAt: now,
  };
  await checkSource(context, row.source);
  await checkRedirect(context, row);
  await tx.insert(siteRedirects, row);
  return row;
}

/**
 * Changes the given fields of a redirect.
 *
 * @throws Problem(invalid-input), Problem(conflict) if its new source already has a redirect
 */
export async function changeRedirect(
  context: RedirectContext,
  row: SiteRedirectRow,
  { source = row.source, destination, draft, ...flags }: RedirectFields,
): Promise<SiteRedirectRow> {
  const { tx, site, now } = context;
  if (source !== row.source) await checkSource(context, source);
  const { prefix: _, ...rest } = row;
  const next: SiteRedirectRow = {
    ...rest,
    ...defined(flags),
    source,
    ...patternOf(source),
    ...(draft === undefined ? {} : { state: draft ? 'draft' : 'live' }),
    ...(destination === undefined ? {} : { destination: await checkDestination(tx, site, destination) }),
    updatedAt: now,
    changedAt: now,
  };
  await checkRedirect(context, next);
  return tx.update(siteRedirects, row.id, { prefix: undefined, ...next } as Partial<SiteRedirectRow>);
}

/** Returns the URL to which a path is redirected; undefined if the destination no longer exists. */
export async function resolveTarget(
  view: ReadTransaction,
  context: Pick<RedirectContext, 'site'> & { address: string },
  row: SiteRedirectRow,
  path: string,
): Promise<string | undefined> {
  const target = await targetOf(view, context.site, context.address, row.destination);
  return target === undefined || !row.captureWildcard
    ? target
    : appendPath(target, decodedCapture(row, path));
}

/** Checks that visitors can request a path and would be redirected. @throws Problem(invalid-input) */
async function checkSource({ tx, site }: RedirectContext, source: string): Promise<void> {
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(source))
    throw invalid(
      '/body/source',
      `Browsers never request the path "${source}", because they resolve "." and ".." in paths.`,
      'Use the path that the address bar of the browser shows.',
    );
  if (isOwnPath(await readPlaces(tx, site), source))
    throw invalid(
      '/body/source',
      `The site itself answers at "${source}", so a redirect from there would have no effect.`,
      'Use a path at which the site has nothing, such as /old.',
    );
}

async function checkRedirect(context: RedirectContext, row: SiteRedirectRow): Promise<void> {
  const { tx } = context;
  if (row.captureWildcard && row.prefix === undefined)
    throw invalid(
      '/body/captureWildcard',
      `The source "${row.source}" has no star, so there is nothing to append to the destination.`,
      'End the source with a star, as in /old/*, or leave out --capture-wildcard (captureWildcard).',
    );
  const other = await redirectFrom(tx, row.site, row.state, row.source);
  if (other !== undefined && other.id !== row.id)
    throw new Problem(
      'conflict',
      `The source "${row.source}" already has a ${row.state === 'draft' ? 'draft of a redirect' : 'redirect'} (${other.id}).`,
      {
        hint: `Change that one, for example its destination: \`docsctl sites redirects update ${other.id} --site ${row.site} --url URL\``,
      },
    );
  if (row.state === 'live') await refuseLoop(context, row);
}

/** Maximum number of redirects in a chain. */
const maxHops = 20;

/**
 * Checks that a redirect does not lead to a loop or a long chain through other redirects of the same site.
 *
 * @throws Problem(invalid-input)
 */
async function refuseLoop(context: RedirectContext, row: SiteRedirectRow): Promise<void> {
  // A destination on the site itself is not redirected again.
  if (row.destination.kind !== 'external' && !row.captureWildcard) return;
  const { tx, site } = context;
  const address = readerAddress(context, site);
  const addresses = siteAddresses(context, site);
  const readAddresses = addressReader(tx);
  const places = await readPlaces(tx, site);
  const visited: SiteRedirectRow[] = [];
  let path = row.prefix === undefined ? row.source : `${row.source.slice(0, -1)}x`;
  for (let current: SiteRedirectRow | undefined = row; current !== undefined;) {
    visited.push(current);
    const target = await resolveTarget(tx, { site, address }, current, path);
    const next = target === undefined ? undefined : pathOnSite(addresses, target);
    // A page ends the chain. For a wildcard, the captured text is unknown, so a page that exists only for the sample text does
    // not end it.
    const isPage = (await pageAt(places, next ?? '', readAddresses)) !== undefined;
    if (next === undefined || next === '' || isPage) return;
    path = next;
    current = await findRedirect(tx, site.id, path, row);
    const isLoop = current?.id === row.id;
    // Changes of the site can make others lead to each other. Those have no effect.
    if (!isLoop && visited.some(({ id }) => id === current?.id)) return;
    if (!isLoop && visited.length < maxHops) continue;
    throw invalid(
      '/body/destination',
      isLoop
        ? `The redirect would lead back to where it starts: ${[...visited, row].map(({ source }) => source).join(' → ')}`
        : `The redirect would lead through more than ${maxHops} redirects.`,
      'Choose a destination that is not redirected itself.',
    );
  }
}

/** Whether a site, published or not, has a page at the source of a redirect. The redirect then has no effect. */
export async function isUnused(
  { tx, site }: { tx: ReadTransaction; site: SiteRow },
  { source, prefix }: SiteRedirectRow,
): Promise<boolean> {
  if (prefix !== undefined) return false;
  return (await pageAt(await readPlaces(tx, site), source, addressReader(tx))) !== undefined;
}
