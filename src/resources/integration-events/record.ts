import type { ChangeContext } from '../../core/handler.ts';
import { enqueue } from '../../core/jobs.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { eachRow, getExisting, type WriteTransaction } from '../../core/store.ts';
import { targetInstallationId, spaceInstallations } from '../integration-installations/rows.ts';
import { integrationEvents } from './rows.ts';

/** The kind of the jobs that deliver events; the subject is an installation. */
export const eventJobKind = 'events';

/** Milliseconds that events are kept. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** Records an event for an integration, in the transaction that causes it, and enqueues its delivery. */
export async function recordEvent(
  { tx, now }: ChangeContext,
  integration: IntegrationRow,
  installation: InstallationRow,
  event: { readonly type: string; readonly [field: string]: unknown },
): Promise<InstallationRow> {
  const order = installation.events + 1;
  const id = `evt_${installation.id.slice(installation.id.indexOf('_') + 1)}_${order}`;
  const hasEndpoint = endpointOf(integration, installation) !== undefined;
  await tx.insert(integrationEvents, {
    id,
    integration: integration.id,
    installation: installation.id,
    organization: installation.organization,
    order,
    payload: { eventId: id, installationId: installation.id, ...event },
    ...(hasEndpoint ? { queue: installation.id } : {}),
    state: hasEndpoint ? 'waiting' : 'no-endpoint',
    attempts: 0,
    logs: hasEndpoint ? [] : [{ message: noEndpointMessage, timestamp: now, level: 'info' }],
    createdAt: now,
  });
  const { organization } = installation;
  if (hasEndpoint) await enqueue(tx, now, { kind: eventJobKind, organization, subject: installation.id });
  await removeExpired(tx, integration.id, now);
  return tx.update(installations, installation.id, { events: order });
}

export const noEndpointMessage =
  'Not delivered: the integration is not in development mode, or development mode covers only the organization that publishes it.';

/** The URL that events of an installation are sent to; undefined for none. */
export function endpointOf(
  { dev, organization }: IntegrationRow,
  installation: { readonly organization: string },
): string | undefined {
  return dev !== undefined && (dev.all || installation.organization === organization)
    ? dev.tunnelUrl
    : undefined;
}

/** Removes up to two events that are older than the retention. Each new event calls it, so old ones disappear over time. */
async function removeExpired(tx: WriteTransaction, integration: string, now: string): Promise<void> {
  const before = new Date(Date.parse(now) - retention).toISOString();
  for (const { id, createdAt } of await tx.find(integrationEvents, {
    index: 'byIntegration',
    equals: [integration],
    limit: 2,
  }))
    if (createdAt < before) await tx.remove(integrationEvents, id);
}

/** Records an event for every integration that may read a space whose content changed. Costs one index look-up where there is none. */
export async function recordContentUpdate(
  context: ChangeContext,
  { id, organization, revision }: SpaceRow,
): Promise<void> {
  const { tx } = context;
  const active: InstallationRow[] = [];
  for await (const row of eachRow(tx, installations, 'byOrganization', [organization]))
    if (row.status === 'active') active.push(row);
  for (const installation of active) {
    const integration = await getExisting(tx, integrations, installation.integration);
    if (!integration.scopes.includes('space:content:read')) continue;
    if (
      installation.spaceSelection === 'selected' &&
      (await tx.get(spaceInstallations, targetInstallationId(installation.id, id)))?.status !== 'active'
    )
      continue;
    await recordEvent(context, integration, installation, {
      type: 'space_content_updated',
      spaceId: id,
      revisionId: revision,
    });
  }
}
