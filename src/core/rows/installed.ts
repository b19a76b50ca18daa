import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';
import { installations, type InstallationStatus } from './integrations.ts';

export interface TargetInstallation {
  /** `targetInstallationId` makes it. */
  readonly id: string;
  readonly installation: string;
  readonly integration: string;
  readonly status: InstallationStatus;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
}

const byParent = {
  byInstallation: { on: ['installation'], by: ['createdAt'] },
  byIntegration: { on: ['integration'], by: ['createdAt'] },
} as const;

export interface SpaceInstallationRow extends TargetInstallation {
  readonly space: string;
}

export const spaceInstallations = audited(
  table<SpaceInstallationRow>()('space_installations', {
    ...byParent,
    bySpace: { on: ['space'] },
  }),
  {
    type: 'space-installation',
    id: 'space',
    label: 'integration',
    fields: ['installation', 'integration', 'space', 'status', 'externalIds'],
    secrets: ['configuration'],
    owner: { table: installations, by: 'installation' },
  },
);

export interface SiteInstallationRow extends TargetInstallation {
  readonly site: string;
}

export const siteInstallations = audited(
  table<SiteInstallationRow>()('site_installations', {
    ...byParent,
    bySite: { on: ['site'] },
  }),
  {
    type: 'site-installation',
    id: 'site',
    label: 'integration',
    fields: ['installation', 'integration', 'site', 'status', 'externalIds'],
    secrets: ['configuration'],
    owner: { table: installations, by: 'installation' },
  },
);

/** The id of an installation on a space or site. */
export function targetInstallationId(installation: string, target: string): string {
  return `${installation}.${target}`;
}
