import { isDeepStrictEqual } from 'node:util';
import { organizationScope } from '../../core/authorize.ts';
import { extendContext, type Context, type Handler } from '../../core/handler.ts';
import { listPage, pageOfArray } from '../../core/listing.ts';
import { missingRole } from '../../core/missing-role.ts';
import { can } from '../../core/permissions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { agreedScopes, installations, type InstallationRow } from '../../core/rows/integrations.ts';
import { sites } from '../../core/rows/sites.ts';
import { collectRows, findOne, getOwned } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { recordEvent } from '../integration-events/record.ts';
import { checkConfiguration, initialSettings } from '../integrations/configuration.ts';
import { removeInstallation } from '../integrations/removal.ts';
import { mintToken } from '../integrations/tokens.ts';
import { listVisibleInstallations, type IntegrationContext } from '../integrations/rules.ts';
import { shapeOnSite, shapeOnSpace } from '../integrations/shape.ts';
import { createVisitorKey } from '../site-publishing-auth/create-key.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';
import type * as contract from './contract.ts';
import { addTarget, readTarget, removeTarget, updateTarget } from './targets.ts';
import { checkScopes, checkTarget, installationOf, type InstallationAccess } from './rules.ts';
import { shapeInstallation } from './shape.ts';
import { siteInstallations, spaceInstallations } from '../../core/rows/installed.ts';

export const listInstallations: Handler<typeof contract.listInstallations> = async (context, { query }) => {
  const { tx, integration } = context;
  const { externalId } = query;
  const keep =
    externalId === undefined
      ? undefined
      : (row: InstallationRow): boolean => row.externalIds.includes(externalId);
  const visible = await listVisibleInstallations(context);
  if (visible === undefined)
    return listPage(
      tx,
      { table: installations, index: 'byIntegration', equals: [integration.id], filter: keep },
      query,
      (row) => shapeInstallation(context, context.integration, row),
    );
  const page = pageOfArray(visible.filter(keep ?? (() => true)), query);
  return {
    ...page,
    items: await Promise.all(page.items.map((row) => shapeInstallation(context, context.integration, row))),
  };
};

export const createInstallation: Handler<typeof contract.createInstallation> = async (context, { body }) => {
  const { tx, integration, now } = context;
  const missing = () => notFound('organization', body.organization);
  const scope = await organizationScope(tx, context.caller, body.organization, missing);
  const { organization, role } = scope;
  if (!can(role, 'admin')) throw missingRole(scope, { action: 'install an integration', level: 'admin' });
  if (integration.visibility === 'private' && organization.id !== integration.organization)
    throw new Problem(
      'conflict',
      `The integration "${integration.id}" is private: only the organization that publishes it can install it.`,
      { hint: 'Its publisher must make it "unlisted" or "public" first.' },
    );
  const existing = await findOne(tx, installations, 'byPlace', [integration.id, organization.id]);
  if (existing !== undefined)
    throw new Problem(
      'conflict',
      `The integration "${integration.id}" is already installed in the organization (${existing.id}).`,
      {
        hint: `Change its settings instead: \`docsctl integrations installations update ${existing.id} --integration ${integration.id} --configuration JSON\``,
      },
    );
  const row: InstallationRow = {
    id: context.newId('ins'),
    integration: integration.id,
    organization: organization.id,
    ...initialSettings(integration, 'account'),
    spaceSelection: 'all',
    siteSelection: 'all',
    // The publisher automatically agrees to its own scopes, now and later.
    ...(organization.id === integration.organization ? {} : { scopes: integration.scopes }),
    externalIds: [],
    events: 0,
    createdAt: now,
    updatedAt: now,
  };
  await tx.insert(installations, row);
  return shapeInstallation(
    context,
    integration,
    await recordEvent(context, integration, row, { type: 'installation_setup', status: row.status }),
  );
};

export const getInstallation: Handler<typeof contract.getInstallation> = async (context, { params }) =>
  shapeInstallation(
    context,
    context.integration,
    await installationOf(context, params.installationId, 'read'),
  );

export const updateInstallation: Handler<typeof contract.updateInstallation> = async (
  context,
  { params, body },
) => {
  const { tx, integration, now } = context;
  const {
    configuration,
    externalIds,
    space_selection: spaceSelection,
    site_selection: siteSelection,
    scopes,
  } = body;
  const isAdministration =
    spaceSelection !== undefined || siteSelection !== undefined || scopes !== undefined;
  if (isAdministration && context.caller.integration !== undefined)
    throw new Problem('forbidden', 'An integration cannot change where it is installed or agree to scopes.', {
      hint: 'Ask an administrator of the organization.',
    });
  const before = await installationOf(
    context,
    params.installationId,
    isAdministration ? 'administer' : 'configure',
  );
  if (configuration !== undefined) checkConfiguration(integration, 'account', configuration);
  if (scopes !== undefined) checkScopes(integration, before, scopes);
  const { status, configuration: old } = before;
  const change = {
    configuration,
    status: configuration !== undefined && status === 'pending' ? 'active' : undefined,
    externalIds,
    spaceSelection,
    siteSelection,
    scopes,
    updatedAt: now,
  } as const;
  const row = await tx.update(installations, before.id, defined(change));
  if (scopes !== undefined)
    for (const { site } of await collectRows(tx, siteInstallations, 'byInstallation', [row.id]))
      await provideVisitorKey(context, row, site);
  if (status === row.status && isDeepStrictEqual(old, row.configuration))
    return shapeInstallation(context, context.integration, row);
  const event = { type: 'installation_setup', status: row.status, previous: { status, configuration: old } };
  return shapeInstallation(context, context.integration, await recordEvent(context, integration, row, event));
};

export const deleteInstallation: Handler<typeof contract.deleteInstallation> = async (
  context,
  { params },
) => {
  const row = await installationOf(context, params.installationId, 'administer');
  await recordEvent(context, context.integration, row, {
    type: 'installation_deleted',
    previous: { configuration: row.configuration },
  });
  await removeInstallation(context.tx, row.id);
};

export const createToken: Handler<typeof contract.createToken> = async (context, { params }) => {
  const { caller, integration, role } = context;
  const installation = await installationOf(context, params.installationId, 'configure');
  if (caller.integration?.name !== integration.id && !can(role, 'admin'))
    throw new Problem(
      'forbidden',
      'Only the integration itself and administrators of the organization that publishes it can create this token.',
      { hint: 'Ask an administrator of that organization.' },
    );
  return { token: (await mintToken(context, integration, installation)).token };
};

export const listSpaces: Handler<typeof contract.listSpaces> = async (context, { params, query }) => {
  const { id } = await installationOf(context, params.installationId, 'read');
  return listPage(
    context.tx,
    { table: spaceInstallations, index: 'byInstallation', equals: [id] },
    query,
    (row) => shapeOnSpace(context, row, query.extended),
  );
};

export const listSites: Handler<typeof contract.listSites> = async (context, { params, query }) => {
  const { id } = await installationOf(context, params.installationId, 'read');
  return listPage(
    context.tx,
    { table: siteInstallations, index: 'byInstallation', equals: [id] },
    query,
    (row) => shapeOnSite(context, row, query.extended),
  );
};

export const getSpaceInstallation: Handler<typeof contract.getSpaceInstallation> = async (
  context,
  { params, query },
) => {
  const row = await readTarget(await spaceTarget(context, params, 'read'));
  return shapeOnSpace(context, row, query.extended);
};

export const getSiteInstallation: Handler<typeof contract.getSiteInstallation> = async (
  context,
  { params, query },
) => {
  const row = await readTarget(await siteTarget(context, params, 'read'));
  return shapeOnSite(context, row, query.extended);
};

export const installOnSpace: Handler<typeof contract.installOnSpace> = async (
  context,
  { params, query, body },
) => {
  const target = await spaceTarget(context, { ...params, spaceId: body.space });
  checkTarget(context.integration, 'space');
  const { organization } = target.installation;
  await getOwned(context.tx, spaces, body.space, { organization, state: 'live' }, 'space');
  return shapeOnSpace(context, await addTarget(target), query.extended);
};

export const installOnSite: Handler<typeof contract.installOnSite> = async (
  context,
  { params, query, body },
) => {
  const target = await siteTarget(context, { ...params, siteId: body.siteId });
  checkTarget(context.integration, 'site');
  const { organization } = target.installation;
  const site = await getOwned(context.tx, sites, body.siteId, { organization }, 'site');
  await provideVisitorKey(context, target.installation, site.id);
  return shapeOnSite(context, await addTarget(target), query.extended);
};

export const updateSpaceInstallation: Handler<typeof contract.updateSpaceInstallation> = async (
  context,
  { params, query, body },
) => shapeOnSpace(context, await updateTarget(await spaceTarget(context, params), body), query.extended);

export const updateSiteInstallation: Handler<typeof contract.updateSiteInstallation> = async (
  context,
  { params, query, body },
) => shapeOnSite(context, await updateTarget(await siteTarget(context, params), body), query.extended);

export const removeFromSpace: Handler<typeof contract.removeFromSpace> = async (context, { params }) =>
  removeTarget(await spaceTarget(context, params));
export const removeFromSite: Handler<typeof contract.removeFromSite> = async (context, { params }) =>
  removeTarget(await siteTarget(context, params));

/** Creates the key for visitor tokens of a site that has none, if an installation may sign in visitors. */
async function provideVisitorKey(
  context: Context<typeof contract.updateInstallation>,
  installation: InstallationRow,
  site: string,
): Promise<void> {
  const signsVisitorTokens = agreedScopes(context.integration, installation).includes('site:visitor:auth');
  if (signsVisitorTokens && (await context.tx.get(visitorKeys, site)) === undefined)
    await createVisitorKey(context, site);
}

async function spaceTarget<C extends IntegrationContext>(
  context: C,
  { installationId, spaceId: id }: { installationId: string; spaceId: string },
  access: InstallationAccess = 'administer',
) {
  const installation = await installationOf(context, installationId, access);
  return extendContext(context, { installation, kind: 'space', id, table: spaceInstallations } as const);
}

async function siteTarget<C extends IntegrationContext>(
  context: C,
  { installationId, siteId: id }: { installationId: string; siteId: string },
  access: InstallationAccess = 'administer',
) {
  const installation = await installationOf(context, installationId, access);
  return extendContext(context, { installation, kind: 'site', id, table: siteInstallations } as const);
}
