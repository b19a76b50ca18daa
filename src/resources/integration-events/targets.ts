import { siteInstallations, spaceInstallations, targetInstallationId } from '../../core/rows/installed.ts';
import {
  agreedScopes,
  installations,
  integrations,
  pendingScopes,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { initialSettings } from '../integrations/configuration.ts';
import type { Recipient } from './environment.ts';

interface Place {
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

/**
 * Finds the installation of an integration on a space or site; undefined if there is none. An installation for all spaces of its
 * organization counts as installed on each of them, with the default settings if the space has no settings.
 */
export async function findTarget(
  view: ReadTransaction,
  { integration, installation }: Required<Pick<Recipient, 'integration' | 'installation'>>,
  { spaceId, siteId }: Place,
): Promise<Recipient['target']> {
  if (installation === undefined) return undefined;
  if (spaceId === undefined)
    return siteId === undefined
      ? undefined
      : view.get(siteInstallations, targetInstallationId(installation.id, siteId));
  const id = targetInstallationId(installation.id, spaceId);
  const own = await view.get(spaceInstallations, id);
  if (own !== undefined || installation.spaceSelection !== 'all') return own;
  const space = await view.get(spaces, spaceId);
  const isForSpaces = integration.target === 'all' || integration.target === 'space';
  if (!isForSpaces || space?.state !== 'live' || space.organization !== installation.organization)
    return undefined;
  return {
    id,
    installation: installation.id,
    integration: integration.id,
    space: spaceId,
    status: installation.status,
    configuration: initialSettings(integration, 'space').configuration,
    externalIds: [],
    createdAt: installation.createdAt,
  };
}

/** An integration with its installation on a space or site. */
interface Installed {
  readonly integration: IntegrationRow;
  readonly installation: InstallationRow;
  readonly target: Recipient['target'];
}

/**
 * Whether an integration adds a script to the pages of a site. A script that uses cookies is left out until the organization has
 * also agreed to cookies.
 */
export function addsScript({
  integration,
  installation,
}: Pick<Installed, 'integration' | 'installation'>): boolean {
  return (
    agreedScopes(integration, installation).includes('site:script:inject') &&
    !pendingScopes(integration, installation).includes('site:script:cookies')
  );
}

/** Finds the integrations that are installed on a site. */
export function listOnSite(
  view: ReadTransaction,
  { id, organization }: { id: string; organization: string },
): Promise<Installed[]> {
  return listInstalled(view, organization, { siteId: id });
}

/** Finds the integrations of a space: those that are installed on it or on all spaces. */
export function listOnSpace(
  view: ReadTransaction,
  { id, organization }: { id: string; organization: string },
): Promise<Installed[]> {
  return listInstalled(view, organization, { spaceId: id });
}

async function listInstalled(
  view: ReadTransaction,
  organization: string,
  place: Place,
): Promise<Installed[]> {
  const found: Installed[] = [];
  for (const installation of await collectRows(view, installations, 'byOrganization', [organization])) {
    const integration = await view.get(integrations, installation.integration);
    if (installation.status !== 'active' || integration === undefined) continue;
    const target = await findTarget(view, { integration, installation }, place);
    if (target?.status === 'active') found.push({ integration, installation, target });
  }
  return found;
}
