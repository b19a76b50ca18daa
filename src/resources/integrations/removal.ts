import { dequeue } from '../../core/jobs.ts';
import { installations, integrationEvents, integrations, siteInstallations, spaceInstallations } from '../../core/rows/integrations.ts';
import { eachRow, type Row, type Table, type Writing } from '../../core/store.ts';
import { jobKind } from '../integration-events/record.ts';

/** Removes an installation with what it is on. Its events stay: the last one still tells of this. */
export async function removeInstallation(tx: Writing, id: string): Promise<void> {
  await removeAll(tx, spaceInstallations, 'byInstallation', id);
  await removeAll(tx, siteInstallations, 'byInstallation', id);
  await tx.remove(installations, id);
}

/** Removes an integration, wherever it is installed, with all that is known of its events. */
export async function removeIntegration(tx: Writing, name: string): Promise<void> {
  const queued = new Set<string>();
  for await (const { installation } of eachRow(tx, integrationEvents, 'byIntegration', [name])) queued.add(installation);
  for (const installation of queued) await dequeue(tx, jobKind, installation);
  for (const table of [integrationEvents, spaceInstallations, siteInstallations, installations]) await removeAll(tx, table as Table<Row, 'byIntegration'>, 'byIntegration', name);
  await tx.remove(integrations, name);
}

/** Takes integrations off a space that goes to others. */
export async function removeFromSpace(tx: Writing, space: string): Promise<void> {
  await removeAll(tx, spaceInstallations, 'bySpace', space);
}

async function removeAll<R extends Row, I extends string>(tx: Writing, from: Table<R, I>, index: I, key: string): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of eachRow(tx, from, index, [key])) ids.push(id);
  for (const id of ids) await tx.remove(from, id);
}
