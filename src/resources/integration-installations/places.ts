import type { InstallationRow, InstallationStatus, IntegrationRow } from '../../core/rows/integrations.ts';
import type { Table, WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import type { RequestContext } from '../../core/handler.ts';
import { checkConfiguration, startOf } from '../integrations/configuration.ts';
import { recordEvent } from '../integration-events/record.ts';
import { takeOff } from '../integrations/removal.ts';
import { placeId, type SiteInstallationRow, type SpaceInstallationRow } from './rows.ts';

interface PlaceRow {
  readonly id: string;
  readonly installation: string;
  readonly status: InstallationStatus;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly externalIds: readonly string[];
}
interface Change {
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly externalIds?: readonly string[];
}

/** The context, with the installation and the space or site in it that a call is about. */
export type PlaceContext<R extends PlaceRow> = Pick<RequestContext, 'now'> & {
  readonly tx: WriteTransaction;
  readonly integration: IntegrationRow;
  readonly installation: InstallationRow;
  readonly what: 'space' | 'site';
  readonly id: string;
  readonly table: Table<R>;
};

/** Installs on one space or site. */
export async function addPlace<R extends PlaceRow>(
  at: PlaceContext<R>,
  own: Omit<R, keyof PlaceRow | 'integration' | 'createdAt'>,
): Promise<R> {
  const { tx, integration, installation, what, id, table, now } = at;
  const rowId = placeId(installation.id, id);
  if ((await tx.get(table, rowId)) !== undefined)
    throw new Problem('conflict', `The integration is installed on this ${what} already.`, {
      hint: `docsctl integrations installations update-${what} changes its settings.`,
    });
  const base = {
    id: rowId,
    installation: installation.id,
    integration: integration.id,
    ...startOf(integration, what),
    externalIds: [],
    createdAt: now,
  };
  const row = { ...base, ...own } as unknown as R;
  await tx.insert(table, row);
  await recordEvent(at, integration, installation, {
    type: `${what}_installation_setup`,
    ...idOf(at),
    status: row.status,
  });
  return row;
}

/** Changes the settings of one that is there. */
export async function updatePlace<R extends PlaceRow>(
  at: PlaceContext<R>,
  { configuration, externalIds }: Change,
): Promise<R> {
  const { tx, integration, installation, what, table } = at;
  const before = await placeOf(at);
  if (configuration !== undefined) checkConfiguration(integration, what, configuration);
  const change = {
    ...(configuration === undefined ? {} : { configuration, status: 'active' }),
    ...(externalIds === undefined ? {} : { externalIds }),
  };
  const row = await tx.update(table, before.id, change as Partial<R>);
  if (configuration === undefined) return row;
  const { status, configuration: old } = before;
  await recordEvent(at, integration, installation, {
    type: `${what}_installation_setup`,
    ...idOf(at),
    status: row.status,
    previous: { status, configuration: old },
  });
  return row;
}

/** Takes an integration off a space or site. */
export async function removePlace<R extends PlaceRow>(at: PlaceContext<R>): Promise<void> {
  await takeOff(at, (await placeOf(at)) as unknown as SpaceInstallationRow | SiteInstallationRow);
}

async function placeOf<R extends PlaceRow>({
  tx,
  table,
  installation,
  what,
  id,
}: PlaceContext<R>): Promise<R> {
  const row = await tx.get(table, placeId(installation.id, id));
  if (row === undefined) throw notFound(what, id);
  return row;
}

function idOf({ what, id }: Pick<PlaceContext<PlaceRow>, 'what' | 'id'>): object {
  return what === 'space' ? { spaceId: id } : { siteId: id };
}
