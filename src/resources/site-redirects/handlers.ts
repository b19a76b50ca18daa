import type { HandlerOutput } from '../../contract/operation.ts';
import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Handler } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { readableView, visibleView } from '../../core/limited-view.ts';
import { both, listPage } from '../../core/listing.ts';
import { visibleTo } from '../../core/permissions.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { checkShareKey, readerAddress, shareAddress } from '../sites/address.ts';
import type * as contract from './contract.ts';
import { findRedirect } from './match.ts';
import { siteRedirects, type SiteRedirectRow } from './rows.ts';
import {
  changeRedirect,
  insertRedirect,
  isUnused,
  redirectFrom,
  redirectOf,
  resolveTarget,
  type RedirectFields,
} from './rules.ts';
import { checkDestination } from './targets.ts';

const orders = {
  createdAt: { index: 'byCreated', order: 'desc' },
  updatedAt: { index: 'byChanged', order: 'desc' },
  source: { index: 'bySource', order: 'asc' },
} as const;

export const listSiteRedirects: Handler<typeof contract.listSiteRedirects> = (context, { query }) => {
  const { tx, site } = context;
  const search = query.search?.toLowerCase();
  return listPage(
    tx,
    {
      table: siteRedirects,
      ...orders[query.orderBy ?? 'createdAt'],
      equals: [site.id, query.draft === true ? 'draft' : 'live'],
      filter: both(
        search === undefined ? undefined : ({ source }) => source.toLowerCase().includes(search),
        leadsToVisible(context),
      ),
    },
    query,
    shape,
  );
};

/** Returns whether a redirect leads to something that the caller can open; undefined if the caller can open everything. */
function leadsToVisible(context: BatchContext): ((row: SiteRedirectRow) => Promise<boolean>) | undefined {
  const { tx } = context;
  const isVisible = visibleTo(tx, context);
  if (isVisible === undefined) return undefined;
  return async ({ destination }) => {
    if (!('siteSpaceId' in destination)) return true;
    const shown = await tx.get(siteSpaces, destination.siteSpaceId);
    const space = shown && (await tx.get(spaces, shown.space));
    return space === undefined || isVisible(space);
  };
}

/** Refuses to replace a redirect that the caller cannot see. @throws Problem(conflict) */
async function refuseHidden(context: BatchContext, draft: boolean, source: string): Promise<void> {
  const isSeen = leadsToVisible(context);
  if (isSeen === undefined) return;
  const row = await redirectFrom(context.tx, context.site.id, draft ? 'draft' : 'live', source);
  if (row === undefined || (await isSeen(row))) return;
  throw new Problem(
    'conflict',
    `The source "${source}" already has a redirect into a space that you cannot open.`,
    {
      hint: 'Use another source, or ask an administrator of the organization to change this redirect.',
    },
  );
}

/** Returns a redirect that the caller can see. @throws Problem(not-found) */
async function visibleRedirect(context: BatchContext, id: string): Promise<SiteRedirectRow> {
  const row = await redirectOf(context.tx, context.site.id, id);
  if ((await leadsToVisible(context)?.(row)) === false) throw notFound('redirect', id);
  return row;
}

export const createSiteRedirect: Handler<typeof contract.createSiteRedirect> = async (context, { body }) => {
  await refuseHidden(context, body.draft === true, body.source);
  return shapeWritten(
    context,
    await insertRedirect(context, { ...body, ...(await openDestination(context, body)) }),
  );
};

export const updateSiteRedirect: Handler<typeof contract.updateSiteRedirect> = async (
  context,
  { params, body },
) => {
  const row = await visibleRedirect(context, params.siteRedirectId);
  const { source = row.source, draft = row.state === 'draft' } = body;
  await refuseHidden(context, draft, source);
  const fields = { ...body, ...(await openDestination(context, body)) };
  return shapeWritten(context, await changeRedirect(context, row, fields));
};

export const deleteSiteRedirect: Handler<typeof contract.deleteSiteRedirect> = async (
  context,
  { params },
) => {
  await context.tx.remove(siteRedirects, (await visibleRedirect(context, params.siteRedirectId)).id);
};

export const upsertSiteRedirects: Handler<typeof contract.upsertSiteRedirects> = async (
  context,
  { body },
) => {
  const results: BatchResult[] = [];
  for (const [index, item] of body.redirects.entries()) {
    const { source, intent } = item;
    try {
      results.push(await upsert(context, item));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      results.push({ status: 'error', source, draft: intent === 'draft', error: messageOf(error, index) });
    }
  }
  return { results };
};

export const resolveSiteRedirect: Handler<typeof contract.resolveSiteRedirect> = async (
  context,
  { query },
) => {
  const { tx, site } = context;
  const { shareKey, source } = query;
  await checkShareKey(tx, site, shareKey);
  const row = await findRedirect(tx, site.id, source);
  if (row === undefined)
    throw new Problem(
      'not-found',
      `The site "${site.title}" has no live redirect for the path "${source}".`,
      { hint: await hintAt(visibleView(tx, context), site, source) },
    );
  const address =
    shareKey !== undefined && site.visibility === 'share-link'
      ? shareAddress(context, site, shareKey)
      : readerAddress(context, site);
  const resolveIn = (view: ReadTransaction) => resolveTarget(view, { site, address }, row, source);
  const target = await resolveIn(readableView(tx, site, context));
  if (target === undefined && (await resolveIn(tx)) !== undefined)
    throw new Problem('not-found', `The redirect "${row.source}" leads into a space that you cannot open.`, {
      hint: 'Ask an administrator of the organization for access to the space.',
    });
  if (target === undefined)
    throw new Problem('not-found', `The destination of the redirect "${row.source}" no longer exists.`, {
      hint: `Give it another one, or delete it: \`docsctl sites redirects delete ${row.id} --site ${site.id}\``,
    });
  return { redirect: shape(row), target };
};

/** Returns a hint that names the redirect that applies to a path, or says where redirects are listed. */
async function hintAt(view: ReadTransaction, site: SiteRow, source: string): Promise<string> {
  const { findSpaceRedirect } = await import('./space-redirects.ts');
  const found = await findSpaceRedirect(view, site, source);
  return found === undefined
    ? `List its redirects: \`docsctl sites redirects list ${site.id}\``
    : `The .gitbook.yaml of the space "${found.space.title}" redirects it to ${found.to}. Redirects of the site take precedence.`;
}

type BatchItem = Static<(typeof contract.upsertSiteRedirects)['body']>['redirects'][number];
type BatchResult = Static<(typeof contract.upsertSiteRedirects)['returns']['schema']>['results'][number];
type BatchContext = Parameters<Handler<typeof contract.upsertSiteRedirects>>[0];

async function upsert(context: BatchContext, item: BatchItem): Promise<BatchResult> {
  const { source, intent = 'live', destination, captureWildcard, permanent } = item;
  if (intent === 'publish') return publish(context, item);
  if (destination === undefined)
    throw invalid(
      '/destination',
      'The destination is missing.',
      'Set it, or set it to null to delete the redirect.',
    );
  const { tx, site } = context;
  const before = await redirectFrom(tx, site.id, intent, source);
  const draft = intent === 'draft';
  await refuseHidden(context, draft, source);
  if (destination === null) {
    if (before === undefined)
      throw new Problem(
        'not-found',
        `There is no ${draft ? 'draft of a ' : ''}redirect from "${source}" to delete.`,
      );
    await tx.remove(siteRedirects, before.id);
    return { status: 'deleted', source, draft };
  }
  const fields = {
    source,
    destination: await checkDestination(visibleView(tx, context), site, destination),
    ...defined({ permanent }),
    captureWildcard: captureWildcard ?? false,
  };
  const row =
    before === undefined
      ? await insertRedirect(context, { ...fields, draft })
      : await changeRedirect(context, before, fields);
  const status = before === undefined ? 'created' : 'updated';
  return { status, source, draft, id: row.id, ...((await hasNoEffect(context, row)) && { unused: true }) };
}

/** Returns the destination in a body, if it has one. The caller must be able to open its space. @throws Problem(not-found) */
async function openDestination(
  context: BatchContext,
  { destination }: RedirectFields,
): Promise<Pick<RedirectFields, 'destination'>> {
  if (destination === undefined) return {};
  return { destination: await checkDestination(visibleView(context.tx, context), context.site, destination) };
}

/** Whether the source of a redirect is a page that the caller can read. */
function hasNoEffect(context: BatchContext, row: SiteRedirectRow): Promise<boolean> {
  const { tx, site } = context;
  return isUnused({ tx: readableView(tx, site, context), site }, row);
}

/**
 * Makes a draft live, with the given fields. If its source has a live redirect, this redirect keeps its ID and gets the fields of
 * the draft.
 */
async function publish(
  context: BatchContext,
  { source, destination, captureWildcard, permanent }: BatchItem,
): Promise<BatchResult> {
  const { tx, site } = context;
  if (destination === null)
    throw invalid(
      '/destination',
      'A redirect that is published needs a destination.',
      'Leave it out to keep the destination of the draft.',
    );
  await refuseHidden(context, true, source);
  await refuseHidden(context, false, source);
  const draft = await redirectFrom(tx, site.id, 'draft', source);
  if (draft === undefined)
    throw new Problem('not-found', `There is no draft of a redirect from "${source}".`);
  const given = {
    ...defined({ captureWildcard, permanent }),
    ...(await openDestination(context, defined({ destination }))),
  };
  const live = await redirectFrom(tx, site.id, 'live', source);
  if (live === undefined) {
    const { id } = await changeRedirect(context, draft, { ...given, draft: false });
    return { status: 'published', source, draft: false, id };
  }
  const fields = {
    source: draft.source,
    captureWildcard: draft.captureWildcard,
    permanent: draft.permanent,
    destination: draft.destination,
  };
  await changeRedirect(context, live, { ...fields, ...given });
  await tx.remove(siteRedirects, draft.id);
  return { status: 'published', source, draft: false, id: live.id };
}

/** Returns the message for a refused redirect. Paths in it are relative to the item. */
function messageOf({ message, violations }: Problem, index: number): string {
  const path = violations[0]?.path.replace(/^\/body/, '') ?? '';
  return path === '' ? message : `/redirects/${index}${path}: ${message}`;
}

async function shapeWritten(
  context: BatchContext,
  row: SiteRedirectRow,
): Promise<HandlerOutput<typeof contract.createSiteRedirect>> {
  return { ...shape(row), ...((await hasNoEffect(context, row)) && { unused: true }) };
}

function shape(row: SiteRedirectRow): Static<typeof contract.SiteRedirect> {
  const { id, source, state, captureWildcard, permanent, destination, createdAt, updatedAt } = row;
  return defined({
    object: 'site-redirect',
    id,
    source,
    draft: state === 'draft',
    captureWildcard,
    permanent,
    destination,
    createdAt,
    updatedAt,
  });
}
