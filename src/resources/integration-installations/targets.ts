import type { InstallationRow, IntegrationRow } from '../../core/rows/integrations.ts';
import type { ReadTransaction, Table } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { checkConfiguration, initialSettings } from '../integrations/configuration.ts';
import { recordEvent } from '../integration-events/record.ts';
import { uninstallFromTarget } from '../integrations/removal.ts';
import {
  targetInstallationId,
  type SiteInstallationRow,
  type SpaceInstallationRow,
  type TargetInstallation,
} from '../../core/rows/installed.ts';

/** An installation, and the space or site that it is installed on or will be installed on. */
interface ReadTarget<R extends TargetInstallation> {
  readonly tx: ReadTransaction;
  readonly integration: IntegrationRow;
  readonly installation: InstallationRow;
  readonly kind: 'space' | 'site';
  /** The id of the space or site. */
  readonly id: string;
  readonly table: Table<R>;
}
type TargetContext<R extends TargetInstallation> = ReadTarget<R> & ChangeContext;

/** Installs an integration on a space or site. @throws Problem(conflict) if it is already installed */
export async function addTarget<R extends TargetInstallation>(context: TargetContext<R>): Promise<R> {
  const { tx, integration, installation, kind, id, table, now } = context;
  const rowId = targetInstallationId(installation.id, id);
  if ((await tx.get(table, rowId)) !== undefined)
    throw new Problem('conflict', `The integration is already installed on this ${kind}.`, {
      hint: `To change its settings, use \`docsctl integrations installations update-${kind}\`.`,
    });
  const base: TargetInstallation = {
    id: rowId,
    installation: installation.id,
    integration: integration.id,
    ...initialSettings(integration, kind),
    externalIds: [],
    createdAt: now,
  };
  const row = { ...base, [kind]: id } as unknown as R;
  await tx.insert(table, row);
  await recordSetup(context, { status: row.status });
  return row;
}

/** Changes the settings of an integration on a space or site. */
export async function updateTarget<R extends TargetInstallation>(
  context: TargetContext<R>,
  { configuration, externalIds }: Partial<Pick<TargetInstallation, 'configuration' | 'externalIds'>>,
): Promise<R> {
  const { tx, integration, kind, table } = context;
  const { id, status, configuration: old } = await readTarget(context);
  if (configuration !== undefined) checkConfiguration(integration, kind, configuration);
  const change = defined({
    configuration,
    status: configuration === undefined ? undefined : 'active',
    externalIds,
  });
  const row = await tx.update(table, id, change);
  if (configuration !== undefined)
    await recordSetup(context, { status: row.status, previous: { status, configuration: old } });
  return row;
}

/** Uninstalls an integration from a space or site. */
export async function removeTarget(
  context: TargetContext<SpaceInstallationRow> | TargetContext<SiteInstallationRow>,
): Promise<void> {
  await uninstallFromTarget(
    context,
    await readTarget<SpaceInstallationRow | SiteInstallationRow>(context, 'remove'),
  );
}

/**
 * Returns the row of an integration that is installed on a space or site. `verb` is `remove` if the caller wants to remove it.
 *
 * @throws Problem(not-found)
 */
export async function readTarget<R extends TargetInstallation>(
  context: ReadTarget<R>,
  verb?: 'remove',
): Promise<R> {
  const { tx, table, installation, id } = context;
  const row = await tx.get(table, targetInstallationId(installation.id, id));
  if (row === undefined) throw notInstalled(context, verb);
  return row;
}

/** The installation may cover all spaces or sites, so that there are no settings for this one. */
function notInstalled<R extends TargetInstallation>(
  { integration, installation, kind, id }: ReadTarget<R>,
  verb: 'remove' | undefined,
): Problem {
  const coversAll = installation[`${kind}Selection`] === 'all';
  const fault = coversAll ? 'has no settings of its own on' : 'is not installed on';
  const command = (words: string) =>
    `\`docsctl integrations installations ${words} --integration ${integration.id}`;
  return new Problem('not-found', `The integration "${integration.id}" ${fault} the ${kind} "${id}".`, {
    hint:
      verb === undefined
        ? `To ${coversAll ? 'add them' : 'install it there'}, run ${command(`add-${kind} ${id}`)} --installation ${installation.id}\`.`
        : coversAll
          ? `The installation covers all ${kind}s. To change this, run ${command(`update ${installation.id}`)} --${kind}-selection selected\`.`
          : undefined,
  });
}

async function recordSetup<R extends TargetInstallation>(
  context: TargetContext<R>,
  change: { status: string; previous?: object },
): Promise<void> {
  const { integration, installation, kind, id } = context;
  await recordEvent(context, integration, installation, {
    type: `${kind}_installation_setup`,
    ...(kind === 'space' ? { spaceId: id } : { siteId: id }),
    ...change,
  });
}
