import { createHmac } from 'node:crypto';
import type { Caller } from '../../core/callers.ts';
import { integrationUserId } from '../../core/callers.ts';
import { defined } from '../../contract/values.ts';
import type { Services } from '../../core/handler.ts';
import type { SiteInstallationRow, SpaceInstallationRow } from '../../core/rows/installed.ts';
import { agreedScopes, type InstallationRow, type IntegrationRow } from '../../core/rows/integrations.ts';
import { shapeInstallation } from '../integration-installations/shape.ts';
import { openSecrets, openSigningSecret } from '../integrations/signing.ts';
import { apiTokenOf } from '../integrations/tokens.ts';
import { shapeIntegration, shapeOnSite, shapeOnSpace } from '../integrations/shape.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';

/** The recipient of a message: an integration, one of its installations, and the space or site of the message. */
export interface Recipient {
  readonly integration: IntegrationRow;
  /** Undefined for messages without an installation, and if it was uninstalled meanwhile. */
  readonly installation?: InstallationRow | undefined;
  /** The ID of an installation that was uninstalled before its last events were delivered. */
  readonly removed?: string | undefined;
  /** The installation on the space or site, if any. */
  readonly target?: SpaceInstallationRow | SiteInstallationRow | undefined;
}

/**
 * Creates the environment that a script gets with a message: the integration and its installation in the form of the API, tokens
 * for the API, and secrets.
 */
export async function createEnvironment(
  services: Services,
  { integration, installation, removed, target }: Recipient,
): Promise<object> {
  const signingSecret = await openSigningSecret(services, integration);
  const token = await apiTokenOf(services, integration);
  const installationToken =
    installation === undefined ? undefined : await apiTokenOf(services, integration, installation);
  const isSite = target !== undefined && 'site' in target;
  const visitorKey =
    isSite && agreedScopes(integration, installation ?? {}).includes('site:visitor:auth')
      ? (await services.read((tx) => tx.get(visitorKeys, target.site)))?.key
      : undefined;
  const shaped = await services.read(async (tx) => {
    const context = { tx, url: services.url, caller: scriptCaller(integration) };
    const place =
      target === undefined
        ? {}
        : 'space' in target
          ? { spaceInstallation: withContentEndpoint(await shapeOnSpace(context, target), target) }
          : { siteInstallation: withContentEndpoint(await shapeOnSite(context, target), target) };
    return {
      integration: withContentEndpoint(await shapeIntegration(context, integration)),
      ...(installation === undefined
        ? removed === undefined
          ? {}
          : { installation: { id: removed, configuration: {} } }
        : {
            installation: withContentEndpoint(
              await shapeInstallation(context, integration, installation),
              installation,
            ),
          }),
      ...place,
    };
  });
  return {
    apiEndpoint: services.url(''),
    apiTokens: {
      integration: token,
      ...defined({ installation: installationToken }),
    },
    // The field names of earlier versions of the message.
    authToken: installationToken ?? token,
    signingSecret,
    signingSecrets: {
      integration: signingSecret,
      ...(installation === undefined ? {} : { installation: deriveSecret(signingSecret, installation.id) }),
      ...(target === undefined
        ? {}
        : {
            // Scripts sign visitor tokens with this secret, so it is the key with which the site verifies them.
            [isSite ? 'siteInstallation' : 'spaceInstallation']:
              visitorKey ?? deriveSecret(signingSecret, target.id),
          }),
    },
    secrets: await openSecrets(services, integration),
    ...shaped,
  };
}

/**
 * Adds the settings and `publicContentEndpoint`, the address of the pages of components. It is the same as the address of other
 * requests.
 */
function withContentEndpoint<T extends { urls: { publicEndpoint: string } }>(
  shown: T,
  { configuration }: Partial<Pick<InstallationRow, 'configuration'>> = {},
) {
  return {
    ...shown,
    ...defined({ configuration }),
    urls: { ...shown.urls, publicContentEndpoint: shown.urls.publicEndpoint },
  };
}

/** Returns the signing secret of an installation. It is derived from the secret of the integration, so both change together. */
function deriveSecret(secret: string, installation: string): string {
  return `dsec_${createHmac('sha256', secret).update(`installation ${installation}`).digest('base64url')}`;
}

/** Returns the caller for which an integration is shaped in its environment: the integration itself. */
function scriptCaller({ id, organization, createdAt }: IntegrationRow): Caller {
  return {
    user: { id: integrationUserId(id), email: '', displayName: id, createdAt },
    owner: false,
    operator: false,
    organization,
    maxRole: null,
  };
}
