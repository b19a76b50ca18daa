import { defined } from '../../contract/values.ts';
import type { ChangeContext, WriteContext } from '../../core/handler.ts';
import { addTime, day } from '../../core/clock.ts';
import { enqueue } from '../../core/jobs.ts';
import { users } from '../../core/rows/organizations.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import {
  agreedScopes,
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { eachRow, getExisting, type WriteTransaction } from '../../core/store.ts';
import { targetInstallationId, spaceInstallations } from '../../core/rows/installed.ts';
import { integrationEvents } from './rows.ts';

/** The kind of jobs that deliver events. Their subject is an installation or a task. */
export const eventJobKind = 'events';

/** Milliseconds until events are removed. */
const retention = 30 * day;

/** Records an event for an integration, in the transaction that causes it, and enqueues its delivery. */
export async function recordEvent(
  { tx, now }: ChangeContext,
  integration: IntegrationRow,
  installation: InstallationRow,
  event: { type: string; readonly [field: string]: unknown },
): Promise<InstallationRow> {
  const order = installation.events + 1;
  const id = `evt_${installation.id.slice(installation.id.indexOf('_') + 1)}_${order}`;
  await tx.insert(integrationEvents, {
    id,
    integration: integration.id,
    installation: installation.id,
    organization: installation.organization,
    order,
    payload: { eventId: id, installationId: installation.id, ...event },
    queue: installation.id,
    state: 'waiting',
    attempts: 0,
    logs: [],
    createdAt: now,
  });
  const { organization } = installation;
  await enqueue(tx, now, { kind: eventJobKind, organization, subject: installation.id });
  await removeExpired(tx, integration.id, now);
  return tx.update(installations, installation.id, { events: order });
}

/** Queues a task for an integration. Tasks wait neither for each other nor for events. `delay` is in seconds. */
export async function recordTask(
  { tx, now, newId }: ChangeContext & Pick<WriteContext, 'newId'>,
  integration: IntegrationRow,
  installation: InstallationRow | undefined,
  { task, delay }: { task: object; delay: number },
): Promise<void> {
  const id = newId('evt');
  const dueAt = addTime(now, delay * 1000);
  const organization = installation?.organization ?? integration.organization;
  const about = installation === undefined ? {} : { installation: installation.id };
  await tx.insert(integrationEvents, {
    id,
    integration: integration.id,
    ...about,
    organization,
    order: 0,
    payload: {
      eventId: id,
      type: 'task',
      ...defined({ installationId: installation?.id }),
      task,
    },
    queue: id,
    dueAt,
    state: 'waiting',
    attempts: 0,
    logs: [],
    createdAt: now,
  });
  await enqueue(tx, now, { kind: eventJobKind, organization, subject: id, dueAt });
  await removeExpired(tx, integration.id, now);
}

export const noEndpointMessage =
  'Not delivered: scripts are turned off (DOCSCTL_INTEGRATION_RUNTIME=off), and the integration has no tunnel for this organization.';

/**
 * Removes up to two events that are older than the retention time or exceed `maxKept`. It is called for each new event, so old
 * events disappear over time.
 */
export async function removeExpired(
  tx: WriteTransaction,
  integration: string,
  now: string,
  maxKept = Infinity,
): Promise<void> {
  const before = addTime(now, -retention);
  const excess =
    maxKept === Infinity ? 0 : (await tx.count(integrationEvents, 'byIntegration', [integration])) - maxKept;
  for (const { id, createdAt, state } of await tx.find(integrationEvents, {
    index: 'byIntegration',
    equals: [integration],
    limit: 2,
  }))
    if (createdAt < before || (excess > 0 && state !== 'waiting')) await tx.remove(integrationEvents, id);
}

/** Records a change of the content of a space, for the integrations that may read it. `updatedBy` are users. */
export async function recordContentUpdate(
  context: ChangeContext,
  space: SpaceRow,
  updatedBy: readonly string[],
): Promise<void> {
  const { tx } = context;
  await recordForReaders(context, space, 'space:content:read', async () => ({
    type: 'space_content_updated',
    revisionId: space.revision,
    updatedBy: (await Promise.all(updatedBy.map((user) => tx.get(users, user)))).flatMap((user) =>
      user === undefined ? [] : [{ object: 'user', id: user.id, displayName: user.displayName }],
    ),
  }));
}

/** Records the start or end of a synchronization with a git repository, for the integrations that synchronize. */
export async function recordGitSync(
  context: ChangeContext,
  space: SpaceRow,
  event:
    | { type: 'space_gitsync_started'; revisionId: string; commitId: string }
    | {
        type: 'space_gitsync_completed';
        state: 'success' | 'failure';
        revisionId: string;
        commitId: string;
      },
): Promise<void> {
  await recordForReaders(context, space, 'space:git:sync', async () => event);
}

/** Records a change of who can open a space, for the integrations that may read its metadata. */
export function recordVisibilityUpdate(
  context: ChangeContext,
  space: SpaceRow,
  previousVisibility: string,
  visibility: string,
): Promise<void> {
  return recordForReaders(context, space, 'space:metadata:read', async () => ({
    type: 'space_visibility_updated',
    previousVisibility,
    visibility,
  }));
}

/** Records an event about a space for each installation with a scope. If there is none, this costs one index look-up. */
async function recordForReaders(
  context: ChangeContext,
  { id, organization }: SpaceRow,
  scope: string,
  eventOf: () => Promise<{ type: string; readonly [field: string]: unknown }>,
): Promise<void> {
  const { tx } = context;
  const active: InstallationRow[] = [];
  for await (const row of eachRow(tx, installations, 'byOrganization', [organization]))
    if (row.status === 'active') active.push(row);
  for (const installation of active) {
    const integration = await getExisting(tx, integrations, installation.integration);
    if (!agreedScopes(integration, installation).includes(scope)) continue;
    if (
      installation.spaceSelection === 'selected' &&
      (await tx.get(spaceInstallations, targetInstallationId(installation.id, id)))?.status !== 'active'
    )
      continue;
    await recordEvent(context, integration, installation, { spaceId: id, ...(await eventOf()) });
  }
}
