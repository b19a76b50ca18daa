import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** An integration that organizations can install, in its latest published version. */
export interface IntegrationRow {
  /** The name of the integration, unique in the store. */
  readonly id: string;
  readonly organization: string;
  readonly version: number;
  /** The version that the operator of the server verified last; absent without one. */
  readonly verifiedVersion?: number | undefined;
  readonly runtime: 'v1' | 'v2';
  /** Fields that are stored and shown unchanged: title, scopes, blocks and the like. */
  readonly looks: object;
  readonly scopes: readonly string[];
  readonly configurations: { readonly account?: unknown; readonly space?: unknown; readonly site?: unknown };
  readonly visibility: 'public' | 'private' | 'unlisted';
  readonly target: 'all' | 'site' | 'space' | 'organization';
  /** The hash of an image. Its type is detected from its bytes. */
  readonly icon?: string | undefined;
  readonly previewImages: readonly string[];
  /** The hash of the script's text. */
  readonly script: string;
  /** The secrets by name, sealed as one text; see secrets.ts. */
  readonly secrets?: string | undefined;
  /** The secret that events are signed with, sealed. */
  readonly signingSecret: string;
  /** Where events are sent during development. With `all`, events of other organizations are sent too. */
  readonly dev?: { readonly tunnelUrl: string; readonly all: boolean } | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export const integrations = audited(
  table<IntegrationRow>()('integrations', {
    all: { on: [] },
    byOrganization: { on: ['organization'] },
  }),
  {
    type: 'integration',
    label: 'id',
    fields: [
      'organization',
      'version',
      'verifiedVersion',
      'runtime',
      'scopes',
      'visibility',
      'target',
      'script',
      'icon',
      'previewImages',
      'dev',
    ],
    secrets: ['secrets', 'signingSecret'],
    sizes: ['looks', 'configurations'],
  },
);

export type InstallationStatus = 'active' | 'pending' | 'paused';

/** An integration in use by an organization. */
export interface InstallationRow {
  readonly id: string;
  readonly integration: string;
  readonly organization: string;
  readonly status: InstallationStatus;
  readonly spaceSelection: 'all' | 'selected';
  readonly siteSelection: 'all' | 'selected';
  /** The scopes that the organization approved. Absent (always for the publisher): all scopes that the integration requests. */
  readonly scopes?: readonly string[] | undefined;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly externalIds: readonly string[];
  /** The number of events so far, which is also the number of the last one. */
  readonly events: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export const installations = audited(
  table<InstallationRow>()('installations', {
    byIntegration: { on: ['integration'], by: ['createdAt'] },
    byOrganization: { on: ['organization'], by: ['createdAt'] },
    byPlace: { on: ['integration', 'organization'], unique: true },
  }),
  {
    type: 'installation',
    label: 'integration',
    fields: [
      'integration',
      'organization',
      'status',
      'spaceSelection',
      'siteSelection',
      'scopes',
      'externalIds',
    ],
    secrets: ['configuration'],
  },
);

/** Returns the scopes of an installation: those that the integration requests and the organization has approved. */
export function agreedScopes(
  { scopes }: Pick<IntegrationRow, 'scopes'>,
  installation: Pick<InstallationRow, 'scopes'>,
): readonly string[] {
  const agreed = installation.scopes;
  return agreed === undefined ? scopes : scopes.filter((scope) => agreed.includes(scope));
}

/** Returns the scopes that an integration requests and the organization of an installation has not approved. */
export function pendingScopes(
  integration: Pick<IntegrationRow, 'scopes'>,
  installation: Pick<InstallationRow, 'scopes'>,
): readonly string[] {
  const agreed = agreedScopes(integration, installation);
  return integration.scopes.filter((scope) => !agreed.includes(scope));
}

/** A token with which the script of an integration calls the API. It expires after an hour. */
interface IntegrationTokenRow {
  readonly id: string;
  readonly hash: string;
  readonly integration: string;
  /** The installation that the token belongs to. Absent: the token belongs to the integration itself. */
  readonly installation?: string;
  /** The user that changes are recorded for; see `integrationUserId`. */
  readonly user: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}
export const integrationTokens = table<IntegrationTokenRow>()('integration_tokens', {
  byHash: { on: ['hash'], unique: true },
  byIntegration: { on: ['integration'], by: ['expiresAt'] },
});
