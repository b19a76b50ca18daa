import type { RequestContext } from '../../core/handler.ts';
import { createSecret } from '../../core/secrets.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';

const signingPurpose = (integration: string) => `the signing of events of ${integration}`;

/** Creates the secret that signs events of an integration, and encrypts it for the store. */
export async function createSigningSecret(
  { vault, randomBytes }: Pick<RequestContext, 'vault' | 'randomBytes'>,
  integration: string,
): Promise<{ signingSecret: string; sealed: string }> {
  const signingSecret = `dsec_${createSecret(randomBytes, 32)}`;
  return { signingSecret, sealed: await vault.seal(signingSecret, signingPurpose(integration)) };
}

/** Decrypts the secret that signs events of an integration. */
export function openSigningSecret(
  { vault }: Pick<RequestContext, 'vault'>,
  { id, signingSecret }: IntegrationRow,
): Promise<string> {
  return vault.open(signingSecret, signingPurpose(id));
}

/** Encrypts the secrets of a published integration. */
export function sealSecrets(
  { vault }: Pick<RequestContext, 'vault'>,
  integration: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string> {
  return vault.seal(JSON.stringify(secrets), `the secrets of ${integration}`);
}

/** Decrypts the secrets of a published integration. */
export async function openSecrets(
  { vault }: Pick<RequestContext, 'vault'>,
  { id, secrets }: IntegrationRow,
): Promise<Readonly<Record<string, string>>> {
  if (secrets === undefined) return {};
  return JSON.parse(await vault.open(secrets, `the secrets of ${id}`)) as Record<string, string>;
}
