import { siteInstallations, spaceInstallations, targetInstallationId } from '../../core/rows/installed.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import type { Recipient } from './environment.ts';

/** The place that an event is about. */
export interface Place {
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

/** Finds the installation of an integration on a space or site; undefined where there is none. */
export async function findTarget(
  view: ReadTransaction,
  installation: string,
  { spaceId, siteId }: Place,
): Promise<Recipient['target']> {
  if (spaceId !== undefined) return view.get(spaceInstallations, targetInstallationId(installation, spaceId));
  return siteId === undefined
    ? undefined
    : view.get(siteInstallations, targetInstallationId(installation, siteId));
}

/** An integration that works somewhere. */
interface Installed {
  readonly integration: IntegrationRow;
  readonly installation: InstallationRow;
  readonly target: Recipient['target'];
}

/** Finds the integrations that are installed on a site. */
export function listOnSite(
  view: ReadTransaction,
  { id, organization }: { readonly id: string; readonly organization: string },
): Promise<Installed[]> {
  return listInstalled(view, organization, { siteId: id }, () => false);
}

/** Finds the integrations that work on a space: those installed on it, and those installed on all spaces. */
export function listOnSpace(
  view: ReadTransaction,
  { id, organization }: { readonly id: string; readonly organization: string },
): Promise<Installed[]> {
  return listInstalled(
    view,
    organization,
    { spaceId: id },
    ({ target }, { spaceSelection }) => spaceSelection === 'all' && (target === 'all' || target === 'space'),
  );
}

async function listInstalled(
  view: ReadTransaction,
  organization: string,
  place: Place,
  isEverywhere: (integration: IntegrationRow, installation: InstallationRow) => boolean,
): Promise<Installed[]> {
  const found: Installed[] = [];
  for (const installation of await collectRows(view, installations, 'byOrganization', [organization])) {
    const target = await findTarget(view, installation.id, place);
    const integration = await view.get(integrations, installation.integration);
    if (installation.status !== 'active' || integration === undefined) continue;
    if (target?.status === 'active' || (target === undefined && isEverywhere(integration, installation)))
      found.push({ integration, installation, target });
  }
  return found;
}
