import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { samlProviders, type SamlProviderRow } from './rows.ts';
import type * as contract from './contract.ts';
import { checkEntityId, endSessions, providerOf, readSettings } from './rules.ts';
import { shapeProvider } from './shape.ts';

export const listProviders: Handler<typeof contract.listProviders> = async (context, { query }) =>
  listPage(
    context.tx,
    { table: samlProviders, index: 'byOrganization', equals: [context.organization.id] },
    query,
    (row) => shapeProvider(context, row),
  );

export const createProvider: Handler<typeof contract.createProvider> = async (context, { body }) => {
  const { tx, organization, now } = context;
  const none = { ssoURL: null, entityID: null, certificate: null, defaultTeam: null, defaultRole: null };
  const settings = await readSettings(tx, organization.id, body);
  await checkEntityId(tx, organization.id, settings.entityID);
  const row: SamlProviderRow = {
    id: context.newId('saml'),
    organization: organization.id,
    createdAt: now,
    label: body.label,
    ...none,
    ...settings,
  };
  await tx.insert(samlProviders, row);
  return shapeProvider(context, row);
};

export const getProvider: Handler<typeof contract.getProvider> = async (context, { params }) =>
  shapeProvider(context, await providerOf(context.tx, context.organization.id, params.samlProviderId));

export const updateProvider: Handler<typeof contract.updateProvider> = async (context, { params, body }) => {
  const { tx, organization } = context;
  const row = await providerOf(tx, organization.id, params.samlProviderId);
  const change: Partial<SamlProviderRow> = await readSettings(tx, organization.id, body);
  await checkEntityId(tx, organization.id, change.entityID, row.id);
  const changed = await tx.update<SamlProviderRow>(samlProviders, row.id, change);
  await endSessions(tx, row, changed);
  return shapeProvider(context, changed);
};

export const deleteProvider: Handler<typeof contract.deleteProvider> = async (
  { tx, organization },
  { params },
) => {
  const row = await providerOf(tx, organization.id, params.samlProviderId);
  await tx.remove(samlProviders, row.id);
  await endSessions(tx, row, undefined);
};
