import { table } from '../store.ts';

/** A program that organizations can add, as it was published last. */
export interface IntegrationRow {
  /** Its name, which nobody else's integration has. */
  readonly id: string;
  /** The organization that publishes it. */
  readonly organization: string;
  readonly version: number;
  readonly runtime: 'v1' | 'v2';
  /** What the API takes and shows as it is: title, scopes, blocks and the like. */
  readonly looks: object;
  readonly scopes: readonly string[];
  readonly configurations: { readonly account?: unknown; readonly space?: unknown; readonly site?: unknown };
  readonly visibility: 'public' | 'private' | 'unlisted';
  readonly target: 'all' | 'site' | 'space' | 'organization';
  /** Hashes of images; the type of each is that of its bytes. */
  readonly icon?: string | undefined;
  readonly previewImages: readonly string[];
  /** Hash of the text. */
  readonly script: string;
  /** A sealed map of them; see secrets.ts. */
  readonly secrets?: string | undefined;
  /** What events are signed with, sealed. */
  readonly signingSecret: string;
  /** Where events go while it is developed; `all`: not only those of its own organization. */
  readonly dev?: { readonly tunnelUrl: string; readonly all: boolean } | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export const integrations = table<IntegrationRow>()('integrations', {
  all: { on: [] },
  byOrganization: { on: ['organization'] },
});

export type InstallationStatus = 'active' | 'pending' | 'paused';

/** An integration in use by an organization. */
export interface InstallationRow {
  readonly id: string;
  readonly integration: string;
  readonly organization: string;
  readonly status: InstallationStatus;
  readonly spaceSelection: 'all' | 'selected';
  readonly siteSelection: 'all' | 'selected';
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly externalIds: readonly string[];
  /** Events so far: the number of the last one. */
  readonly events: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export const installations = table<InstallationRow>()('installations', {
  byIntegration: { on: ['integration'], by: ['createdAt'] },
  byOrganization: { on: ['organization'], by: ['createdAt'] },
  byPlace: { on: ['integration', 'organization'], unique: true },
});

interface PlaceInstallation {
  /** See placeId. */
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

/** How the delivery of an event stands; `dead`: given up; `no-endpoint`: nobody takes events of this integration. */
export type DeliveryState = 'waiting' | 'delivered' | 'dead' | 'no-endpoint';

/** Something an integration is told, and how that went. */
export interface IntegrationEventRow {
  readonly id: string;
  readonly integration: string;
  readonly installation: string;
  /** The organization of the installation. */
  readonly organization: string;
  /** Its number among the events of its installation: the order they are delivered in. */
  readonly order: number;
  readonly payload: {
    readonly eventId: string;
    readonly type: string;
    readonly installationId: string;
    readonly spaceId?: string;
    readonly siteId?: string;
  };
  /** The id of the installation as long as it waits to be delivered. */
  readonly queue?: string | undefined;
  readonly state: DeliveryState;
  /** Tries so far. */
  readonly attempts: number;
  /** When it is tried again. */
  readonly dueAt?: string | undefined;
  /** How the last try went: status of the answer, and milliseconds. */
  readonly status?: number | undefined;
  readonly duration?: number | undefined;
  readonly error?: string | undefined;
  readonly logs: readonly {
    readonly message: string;
    readonly timestamp: string;
    readonly level: 'debug' | 'info' | 'warn' | 'error';
  }[];
  readonly createdAt: string;
}
export const integrationEvents = table<IntegrationEventRow>()('integration_events', {
  byIntegration: { on: ['integration'], by: ['createdAt', 'order'] },
  byQueue: { on: ['queue'], by: ['order'] },
});
