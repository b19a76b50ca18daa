import type { Static } from '../../../contract/schema.ts';
import { defined } from '../../../contract/values.ts';
import type { ReadContext, ResourceScope, WriteContext } from '../../../core/handler.ts';
import { requireRoleOn } from '../../../core/missing-role.ts';
import { can, contentRole, visibleTo } from '../../../core/permissions.ts';
import { sites, type SiteRow } from '../../../core/rows/sites.ts';
import { siteSpaces } from '../../../core/rows/site-spaces.ts';
import { spaces } from '../../../core/rows/spaces.ts';
import { collectRows, eachRow, type ReadTransaction } from '../../../core/store.ts';
import { siteAddresses } from '../../sites/address.ts';
import type { StructureChange } from '../../sites/published-spaces.ts';
import type { BrokenRedirect, MovedRedirect } from '../schemas.ts';
import { siteRedirects } from '../rows.ts';
import { changeRedirect, insertRedirect } from '../rules.ts';
import { findBrokenRedirects, type ChangedPlaces } from './broken-redirects.ts';
import { findRedirects, type RedirectChange } from './find-redirects.ts';
import { addressReader } from './page-addresses.ts';
import { readPlaces, type SitePlace } from './site-places.ts';

type ProposalContext = ReadContext &
  Pick<ResourceScope, 'organization' | 'memberRole' | 'maxRole' | 'grants'>;
export type MakingContext = ProposalContext & WriteContext;

/** The redirects of one site that a change requires. */
interface SiteProposal {
  readonly site: SiteRow;
  readonly places: readonly SitePlace[];
  readonly changes: readonly RedirectChange[];
  /** IDs of the site spaces whose spaces the caller cannot open. Answers leave out their redirects. */
  readonly hidden: ReadonlySet<string>;
}

/** A change of the content of a space from one revision to another. Without `to`, the space is deleted. */
export interface ContentChange {
  readonly space: string;
  readonly from: string;
  readonly to: string | undefined;
}

interface ProposalOptions {
  /** A transaction that sees the new revisions. */
  readonly view?: ReadTransaction;
  /** Changes of sites at the same time. */
  readonly structure?: readonly StructureChange[] | undefined;
}

/**
 * Returns the redirects that a change of content requires on each published site that shows a changed space and that the caller
 * may read.
 */
export async function proposeRedirects(
  context: ProposalContext,
  contents: readonly ContentChange[],
  options: ProposalOptions = {},
): Promise<SiteProposal[]> {
  const { view = context.tx } = options;
  const read = addressReader(view);
  const proposals: SiteProposal[] = [];
  const changed = await changedSites(context, contents, options, ({ published }) => published);
  for (const { site, places } of changed)
    proposals.push(await proposeFor(context, site, places, { view, read }));
  return proposals;
}

/**
 * Returns the redirects of all sites whose destination a change of content removes, except those that the proposals replace or
 * delete.
 */
export async function listBrokenRedirects(
  context: ProposalContext,
  contents: readonly ContentChange[],
  { proposals, ...options }: ProposalOptions & { proposals: readonly SiteProposal[] },
): Promise<Static<typeof BrokenRedirect>[]> {
  const { view = context.tx } = options;
  const replaced = new Set(proposals.flatMap(({ changes }) => changes.map(({ row }) => row?.id)));
  const broken: Static<typeof BrokenRedirect>[] = [];
  const hasRedirects = async ({ id }: SiteRow) => (await view.count(siteRedirects, 'bySite', [id])) > 0;
  for (const { site, places } of await changedSites(context, contents, options, hasRedirects))
    broken.push(...(await findBrokenRedirects(view, site, places)));
  return broken.filter(({ id }) => !replaced.has(id));
}

/** Reads the places of the spaces of affected sites, before and after a change. Deleted sites are left out. */
async function changedSites(
  context: ProposalContext,
  contents: readonly ContentChange[],
  { view = context.tx, structure = [] }: ProposalOptions,
  isWanted: (site: SiteRow) => boolean | Promise<boolean>,
): Promise<{ site: SiteRow; places: ChangedPlaces }[]> {
  const changed = new Map(structure.map((change) => [change.id, change]));
  const before = new Map(contents.map(({ space, from }) => [space, from]));
  const after = new Map(contents.map(({ space, to }) => [space, to]));
  const found: { site: SiteRow; places: ChangedPlaces }[] = [];
  for (const site of await readableSites(context, [...before.keys()], structure.length > 0)) {
    if (changed.get(site.id)?.deleted === true || !(await isWanted(site))) continue;
    const places = {
      before: await readPlaces(view, site, { revisions: before }),
      after: await readPlaces(view, site, { revisions: after, structure: changed }),
    };
    found.push({ site, places });
  }
  return found;
}

/**
 * Runs `work`, which changes the structure of a site. Returns its result and the redirects that the change requires. With `make`,
 * they are also created.
 */
export async function withRedirects<T>(
  context: MakingContext & { site: SiteRow },
  make: boolean,
  work: () => Promise<T>,
): Promise<{ result: T; redirects: Static<typeof MovedRedirect>[] | undefined }> {
  const { tx, site } = context;
  if (!site.published) return { result: await work(), redirects: undefined };
  const before = await readPlaces(tx, site);
  const result = await work();
  const changed = (await tx.get(sites, site.id)) ?? site;
  const places = { before, after: await readPlaces(tx, changed) };
  const proposal = await proposeFor(context, changed, places, { view: tx, read: addressReader(tx) });
  return {
    result,
    redirects: make ? await makeRedirects(context, [proposal]) : shapeProposals([proposal]),
  };
}

/**
 * Creates proposed redirects, and returns them in the form of the API.
 *
 * @throws Problem(forbidden) if the caller may not change the redirects of a site
 */
export async function makeRedirects(
  context: MakingContext,
  proposals: readonly SiteProposal[],
): Promise<Static<typeof MovedRedirect>[]> {
  const { tx } = context;
  const made: Static<typeof MovedRedirect>[] = [];
  for (const proposal of proposals) {
    const { site, changes } = proposal;
    if (changes.length === 0) continue;
    await requireRoleOn(
      tx,
      context,
      'site',
      site,
      { action: 'change the redirects of a site', level: 'admin' },
      'Leave out --redirects, or ask for the admin role on the site.',
    );
    const within = { ...context, site };
    // Sources are freed before other redirects use them.
    for (const { action, row } of changes)
      if (action === 'delete' && row !== undefined) await tx.remove(siteRedirects, row.id);
    for (const change of changes) {
      const { action, source, captureWildcard, destination, row } = change;
      const fields = { source, captureWildcard, destination };
      if (action === 'delete') made.push(...shape(proposal, change, row?.id));
      else if (row === undefined)
        made.push(...shape(proposal, change, (await insertRedirect(within, fields)).id));
      else made.push(...shape(proposal, change, (await changeRedirect(within, row, fields)).id));
    }
  }
  return made;
}

/** Returns proposed redirects in the form of the API. They are not created. */
export function shapeProposals(proposals: readonly SiteProposal[]): Static<typeof MovedRedirect>[] {
  return proposals.flatMap((proposal) => proposal.changes.flatMap((change) => shape(proposal, change)));
}

async function proposeFor(
  context: ProposalContext,
  site: SiteRow,
  { before, after }: ChangedPlaces,
  { view, read }: { view: ReadTransaction; read: ReturnType<typeof addressReader> },
): Promise<SiteProposal> {
  const redirects = await collectRows(context.tx, siteRedirects, 'bySource', [site.id, 'live']);
  const addresses = siteAddresses(context, site);
  const hidden = new Set<string>();
  const isVisible = visibleTo(view, context);
  for (const { id, space } of isVisible === undefined ? [] : [...before, ...after]) {
    const row = await view.get(spaces, space);
    if (row === undefined || !(await isVisible?.(row))) hidden.add(id);
  }
  return {
    hidden,
    site,
    places: after,
    changes: await findRedirects(view, read, { before, after, redirects, addresses }),
  };
}

/** Returns the sites that show one of the spaces, or all sites, if the caller may read them. */
async function readableSites(
  context: ProposalContext,
  shown: readonly string[],
  isAll: boolean,
): Promise<SiteRow[]> {
  const { tx, organization } = context;
  const found = new Map<string, SiteRow>();
  if (isAll)
    for await (const site of eachRow(tx, sites, 'byOrganization', [organization.id]))
      found.set(site.id, site);
  else
    for (const space of shown)
      for (const { site: id } of await collectRows(tx, siteSpaces, 'bySpace', [space])) {
        const site = await tx.get(sites, id);
        if (site !== undefined) found.set(id, site);
      }
  const readable: SiteRow[] = [];
  for (const site of found.values())
    if (site.organization === organization.id && can(await contentRole(tx, context, site), 'read'))
      readable.push(site);
  return readable;
}

/** Returns a change in the form of the API, or nothing if it is of a space that the caller cannot open. */
function shape(
  { site, places, hidden }: SiteProposal,
  { action, source, captureWildcard, destination, target, pagePath, row }: RedirectChange,
  made?: string,
): readonly Static<typeof MovedRedirect>[] {
  const ids =
    'siteSpaceId' in destination
      ? [destination.siteSpaceId]
      : places
          .filter(({ section }) => 'siteSectionId' in destination && section === destination.siteSectionId)
          .map(({ id }) => id);
  if (ids.length > 0 && ids.every((id) => hidden.has(id))) return [];
  const shaped = defined({
    object: 'moved-redirect' as const,
    site: { id: site.id, title: site.title },
    action,
    source,
    captureWildcard,
    destination,
    target,
    space:
      'siteSpaceId' in destination
        ? places.find(({ id }) => id === destination.siteSpaceId)?.space
        : undefined,
    pagePath,
    done: made !== undefined,
    id: made ?? row?.id,
  });
  return [shaped];
}
