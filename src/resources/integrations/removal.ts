import type { ChangeContext } from '../../core/handler.ts';
import { dequeue } from '../../core/jobs.ts';
import { installations, integrations } from '../../core/rows/integrations.ts';
import { eachRow, getExisting, type Row, type Table, type WriteTransaction } from '../../core/store.ts';
import { jobKind, recordEvent } from '../integration-events/record.ts';
import {
  siteInstallations,
  spaceInstallations,
  type SiteInstallationRow,
  type SpaceInstallationRow,
} from '../integration-installations/rows.ts';
import { integrationEvents } from '../integration-events/rows.ts';

/** Removes an installation with what it is on. Its events stay: the last one still tells of this. */
export async function removeInstallation(tx: WriteTransaction, id: string): Promise<void> {
  await removeAll(tx, spaceInstallations, 'byInstallation', id);
  await removeAll(tx, siteInstallations, 'byInstallation', id);
  await tx.remove(installations, id);
}

/** Removes an integration, wherever it is installed, with all that is known of its events. */
export async function removeIntegration(tx: WriteTransaction, name: string): Promise<void> {
  const queued = new Set<string>();
  for await (const { installation } of eachRow(tx, integrationEvents, 'byIntegration', [name]))
    queued.add(installation);
  for (const installation of queued) await dequeue(tx, jobKind, installation);
  for (const table of [integrationEvents, spaceInstallations, siteInstallations, installations])
    await removeAll(tx, table as Table<Row, 'byIntegration'>, 'byIntegration', name);
  await tx.remove(integrations, name);
}

/** Takes an integration off one space or site, and tells it. */
export async function takeOff(
  context: ChangeContext,
  row: SpaceInstallationRow | SiteInstallationRow,
): Promise<void> {
  const { tx } = context;
  const { id, integration, installation, configuration } = row;
  const [what, place] = 'space' in row ? ['space', { spaceId: row.space }] : ['site', { siteId: row.site }];
  const table: Table = what === 'space' ? spaceInstallations : siteInstallations;
  await tx.remove(table, id);
  const told = { type: `${what}_installation_deleted`, ...place, previous: { configuration } };
  await recordEvent(
    context,
    await getExisting(tx, integrations, integration),
    await getExisting(tx, installations, installation),
    told,
  );
}

/** Takes all integrations off a space that goes to others. */
export async function takeAllOffSpace(context: ChangeContext, space: string): Promise<void> {
  for (const row of await allOf(context.tx, spaceInstallations, 'bySpace', space))
    await takeOff(context, row);
}

/** Takes all integrations off a site that is deleted. */
export async function takeAllOffSite(context: ChangeContext, site: string): Promise<void> {
  for (const row of await allOf(context.tx, siteInstallations, 'bySite', site)) await takeOff(context, row);
}

async function removeAll<R extends Row, I extends string>(
  tx: WriteTransaction,
  from: Table<R, I>,
  index: I,
  key: string,
): Promise<void> {
  for (const { id } of await allOf(tx, from, index, key)) await tx.remove(from, id);
}

async function allOf<R extends Row, I extends string>(
  tx: WriteTransaction,
  from: Table<R, I>,
  index: I,
  key: string,
): Promise<R[]> {
  const rows: R[] = [];
  for await (const row of eachRow(tx, from, index, [key])) rows.push(row);
  return rows;
}
