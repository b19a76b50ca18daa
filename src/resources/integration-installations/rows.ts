import { table } from '../../core/store.ts';
import type { InstallationStatus } from '../../core/rows/integrations.ts';

export interface PlaceInstallation {
  /** See placeId. */
  readonly id: string;
  readonly installation: string;
  readonly integration: string;
  readonly status: InstallationStatus;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
}

export const byParent = {
  byInstallation: { on: ['installation'], by: ['createdAt'] },
  byIntegration: { on: ['integration'], by: ['createdAt'] },
} as const;

/** An installation on one space. */
export interface SpaceInstallationRow extends PlaceInstallation {
  readonly space: string;
}

export const spaceInstallations = table<SpaceInstallationRow>()('space_installations', {
  ...byParent,
  bySpace: { on: ['space'] },
});

/** An installation on one site. */
export interface SiteInstallationRow extends PlaceInstallation {
  readonly site: string;
}

export const siteInstallations = table<SiteInstallationRow>()('site_installations', {
  ...byParent,
  bySite: { on: ['site'] },
});

/** The id of an installation on a space or site. */
export function placeId(installation: string, place: string): string {
  return `${installation}.${place}`;
}
