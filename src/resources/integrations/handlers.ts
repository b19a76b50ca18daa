import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { installations, integrations, type IntegrationRow } from '../../core/rows/integrations.ts';
import { findOne } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { requestCollection } from '../../content/collection/record-references.ts';
import { putBytes, putText } from '../../content/blobs.ts';
import { checkConfigurations } from './configuration.ts';
import type * as contract from './contract.ts';
import { decodeImage, readIntegrationImage } from './images.ts';
import { matchesFilters } from './filters.ts';
import { removeIntegration } from './removal.ts';
import { keepAgreedScopes, listTargetInstallations, organizationsOf, publisherOf } from './rules.ts';
import { createSigningSecret, sealSecrets } from './signing.ts';
import { shapeIntegration, shapeOnSite, shapeOnSpace } from './shape.ts';
import { siteInstallations, spaceInstallations } from '../../core/rows/installed.ts';

export * from './live/answers.ts';

export const listIntegrations: Handler<typeof contract.listIntegrations> = async (context, { query }) => {
  const { tx, caller } = context;
  const own = await organizationsOf(tx, caller);
  const isInUse = async ({ id }: IntegrationRow): Promise<boolean> => {
    for (const organization of own ?? [])
      if ((await findOne(tx, installations, 'byPlace', [id, organization])) !== undefined) return true;
    return false;
  };
  const keep = async (row: IntegrationRow) =>
    matchesFilters(row, query) &&
    (own === undefined || row.visibility === 'public' || own.has(row.organization) || (await isInUse(row)));
  return listPage(tx, { table: integrations, index: 'all', equals: [], filter: keep }, query, (row) =>
    shapeIntegration(context, row),
  );
};

export const getIntegration: Handler<typeof contract.getIntegration> = (context) =>
  shapeIntegration(context, context.integration);

export const publishIntegration: Handler<typeof contract.publishIntegration> = async (
  context,
  { params, body },
) => {
  const { tx, caller, now } = context;
  const name = params.integrationName;
  const {
    runtime = 'v1',
    icon,
    previewImages = [],
    visibility = 'private',
    target = 'all',
    scopes,
    configurations = {},
    script,
    organization,
    secrets,
    ...looks
  } = body;
  if (!/^[a-zA-Z0-9-_.]{1,100}$/.test(name) || /^\.+$/.test(name))
    throw invalid(
      '/integrationName',
      'The name of an integration must have 1 to 100 letters, digits, "-", "_" or ".".',
    );
  const publisher = (await publisherOf(tx, caller, organization)).organization.id;
  const existing = await tx.get(integrations, name);
  if (existing !== undefined && existing.organization !== publisher)
    throw new Problem('conflict', `Another organization publishes an integration "${name}".`, {
      hint: 'Choose another name.',
    });
  checkConfigurations(configurations);
  const put = (base64: string, at: string) => putBytes(tx, decodeImage(base64, at));
  const images: string[] = [];
  for (const [index, image] of previewImages.entries())
    images.push(await put(image, `/body/previewImages/${index}`));
  const sealed = secrets === undefined ? existing?.secrets : await sealSecrets(context, name, secrets);
  const fields = {
    organization: publisher,
    runtime,
    looks: { ...looks, categories: looks.categories ?? [], externalLinks: looks.externalLinks ?? [] },
    scopes: [...new Set(scopes)],
    configurations,
    visibility,
    target,
    icon: icon === undefined ? undefined : await put(icon, '/body/icon'),
    previewImages: images,
    script: await putText(tx, script),
    secrets: sealed,
    updatedAt: now,
  } satisfies Partial<IntegrationRow>;
  if (existing !== undefined) {
    await requestCollection(tx, now);
    const row = await tx.update(integrations, name, { ...fields, version: existing.version + 1 });
    const pendingInstallations = await keepAgreedScopes(tx, existing, row);
    return {
      ...(await shapeIntegration(context, row)),
      ...(pendingInstallations === 0 ? {} : { pendingInstallations }),
    };
  }
  const row: IntegrationRow = {
    id: name,
    version: 1,
    signingSecret: (await createSigningSecret(context, name)).sealed,
    createdAt: now,
    ...fields,
  };
  await tx.insert(integrations, row);
  return shapeIntegration(context, row);
};

export const unpublishIntegration: Handler<typeof contract.unpublishIntegration> = (context) =>
  removeIntegration(context, context.integration.id);

export const listIntegrationSpaces: Handler<typeof contract.listIntegrationSpaces> = (context, { query }) =>
  listTargetInstallations(context, spaceInstallations, query, (row) =>
    shapeOnSpace(context, row, query.extended),
  );

export const listIntegrationSites: Handler<typeof contract.listIntegrationSites> = (context, { query }) =>
  listTargetInstallations(context, siteInstallations, query, (row) =>
    shapeOnSite(context, row, query.extended),
  );

export const verifyIntegration: Handler<typeof contract.verifyIntegration> = async (
  context,
  { body: { verified = true } },
) => {
  const { tx, caller, integration } = context;
  if (!caller.operator)
    throw new Problem('forbidden', 'Only the operator of the server can verify integrations.', {
      hint: 'Use the token that `docsctl init` printed, or run docsctl on the store itself.',
    });
  const verifiedVersion = verified ? integration.version : undefined;
  return shapeIntegration(context, await tx.update(integrations, integration.id, { verifiedVersion }));
};

export const enableDev: Handler<typeof contract.enableDev> = async (
  { tx, integration, checkAddress },
  { body: { tunnelUrl, all = false } },
) => {
  await checkAddress(tunnelUrl);
  await tx.update(integrations, integration.id, { dev: { tunnelUrl, all } });
};

export const disableDev: Handler<typeof contract.disableDev> = async ({ tx, integration }) => {
  if (integration.dev === undefined)
    throw new Problem('conflict', `The integration "${integration.id}" is not in development mode.`, {
      hint: 'Development mode is already off; there is nothing to do.',
    });
  await tx.update(integrations, integration.id, { dev: undefined });
};

export const getImage: Handler<typeof contract.getImage> = ({ tx, integration }, { params }) =>
  readIntegrationImage(tx, integration, params.imageId);

export const renewSigningSecret: Handler<typeof contract.renewSigningSecret> = async (context) => {
  const { tx, integration } = context;
  const { signingSecret, sealed } = await createSigningSecret(context, integration.id);
  await tx.update(integrations, integration.id, { signingSecret: sealed });
  return { signingSecret };
};
