import { requestCollection } from '../../content/collection/record-references.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { dequeue } from '../../core/jobs.ts';
import { installations, integrations, integrationTokens } from '../../core/rows/integrations.ts';
import {
  eachRow,
  getExisting,
  collectRows,
  removeRows,
  type Row,
  type Table,
  type WriteTransaction,
} from '../../core/store.ts';
import { eventJobKind, recordEvent } from '../integration-events/record.ts';
import {
  siteInstallations,
  spaceInstallations,
  type SiteInstallationRow,
  type SpaceInstallationRow,
} from '../../core/rows/installed.ts';
import { integrationEvents } from '../integration-events/rows.ts';

/**
 * Removes an installation from its organization, spaces and sites. Its events are kept, because the last one reports the removal.
 */
export async function removeInstallation(tx: WriteTransaction, id: string): Promise<void> {
  await removeRows(tx, spaceInstallations, 'byInstallation', [id]);
  await removeRows(tx, siteInstallations, 'byInstallation', [id]);
  await tx.remove(installations, id);
}

/** Removes an integration with its installations and its events. */
export async function removeIntegration({ tx, now }: ChangeContext, name: string): Promise<void> {
  const queued = new Set<string>();
  for await (const { installation, queue } of eachRow(tx, integrationEvents, 'byIntegration', [name]))
    for (const subject of [installation, queue]) if (subject !== undefined) queued.add(subject);
  for (const subject of queued) await dequeue(tx, eventJobKind, subject);
  for (const table of [
    integrationEvents,
    integrationTokens,
    spaceInstallations,
    siteInstallations,
    installations,
  ])
    await removeRows(tx, table as Table<Row, 'byIntegration'>, 'byIntegration', [name]);
  await tx.remove(integrations, name);
  await requestCollection(tx, now);
}

/** Uninstalls an integration from one space or site, and records the event. */
export async function uninstallFromTarget(
  context: ChangeContext,
  row: SpaceInstallationRow | SiteInstallationRow,
): Promise<void> {
  const { tx } = context;
  const previous = { configuration: row.configuration };
  const isSpace = 'space' in row;
  await tx.remove<Row>(isSpace ? spaceInstallations : siteInstallations, row.id);
  await recordEvent(
    context,
    await getExisting(tx, integrations, row.integration),
    await getExisting(tx, installations, row.installation),
    isSpace
      ? { type: 'space_installation_deleted', spaceId: row.space, previous }
      : { type: 'site_installation_deleted', siteId: row.site, previous },
  );
}

/** Uninstalls all integrations from a space that moves to another organization. */
export async function uninstallAllFromSpace(context: ChangeContext, space: string): Promise<void> {
  for (const row of await collectRows(context.tx, spaceInstallations, 'bySpace', [space]))
    await uninstallFromTarget(context, row);
}

/** Uninstalls all integrations from a site that is deleted. */
export async function uninstallAllFromSite(context: ChangeContext, site: string): Promise<void> {
  for (const row of await collectRows(context.tx, siteInstallations, 'bySite', [site]))
    await uninstallFromTarget(context, row);
}
