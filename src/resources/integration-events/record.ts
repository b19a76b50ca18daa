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
import { placeId, spaceInstallations } from '../integration-installations/rows.ts';
import { integrationEvents } from './rows.ts';

/** The kind of the jobs that deliver events; the subject is an installation. */
export const jobKind = 'events';

/** Milliseconds that events are kept. */
const kept = 30 * 24 * 60 * 60 * 1000;

/** Writes down what an integration is to be told, in the transaction that makes it so, and asks for its delivery. */
export async function recordEvent(
  { tx, now }: ChangeContext,
  integration: IntegrationRow,
  installation: InstallationRow,
  event: { readonly type: string; readonly [field: string]: unknown },
): Promise<InstallationRow> {
  const order = installation.events + 1;
  const id = `evt_${installation.id.slice(installation.id.indexOf('_') + 1)}_${order}`;
  const goes = endpointOf(integration, installation) !== undefined;
  await tx.insert(integrationEvents, {
    id,
    integration: integration.id,
    installation: installation.id,
    organization: installation.organization,
    order,
    payload: { eventId: id, installationId: installation.id, ...event },
    ...(goes ? { queue: installation.id } : {}),
    state: goes ? 'waiting' : 'no-endpoint',
    attempts: 0,
    logs: goes ? [] : [{ message: noEndpoint, timestamp: now, level: 'info' }],
    createdAt: now,
  });
  if (goes)
    await enqueue(tx, now, {
      kind: jobKind,
      organization: installation.organization,
      subject: installation.id,
    });
  await forgetOld(tx, integration.id, now);
  return tx.update(installations, installation.id, { events: order });
}

export const noEndpoint =
  'Nobody takes the events of this integration: it is not in development mode, or only for its own organization.';

/** Where events of an installation go now. */
export function endpointOf(
  { dev, organization }: IntegrationRow,
  installation: { readonly organization: string },
): string | undefined {
  return dev !== undefined && (dev.all || installation.organization === organization)
    ? dev.tunnelUrl
    : undefined;
}

/** Two for each that is added: what is older than a month goes by itself. */
async function forgetOld(tx: WriteTransaction, integration: string, now: string): Promise<void> {
  const before = new Date(Date.parse(now) - kept).toISOString();
  for (const { id, createdAt } of await tx.find(integrationEvents, {
    index: 'byIntegration',
    equals: [integration],
    limit: 2,
  }))
    if (createdAt < before) await tx.remove(integrationEvents, id);
}

/** Tells the integrations that may read a space that its content is another; one look at an index where there is none. */
export async function noticeContent(
  context: ChangeContext,
  { id, organization, revision }: SpaceRow,
): Promise<void> {
  const { tx } = context;
  const found: InstallationRow[] = [];
  for await (const row of eachRow(tx, installations, 'byOrganization', [organization]))
    if (row.status === 'active') found.push(row);
  for (const installation of found) {
    const integration = await getExisting(tx, integrations, installation.integration);
    if (!integration.scopes.includes('space:content:read')) continue;
    if (
      installation.spaceSelection === 'selected' &&
      (await tx.get(spaceInstallations, placeId(installation.id, id)))?.status !== 'active'
    )
      continue;
    await recordEvent(context, integration, installation, {
      type: 'space_content_updated',
      spaceId: id,
      revisionId: revision,
    });
  }
}
