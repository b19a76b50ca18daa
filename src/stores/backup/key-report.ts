import { keyFingerprint } from '../../core/secrets.ts';
import { orUndefined } from '../../errors/problem.ts';
import { secretKeyOf, type SecretKeySource } from '../secret-key.ts';
import { pathOfStore } from '../url.ts';

/**
 * Returns the fingerprint of the key of a store; undefined if this machine has no key for it. It creates no key.
 * @throws Problem(usage)
 */
export async function fingerprintOfKey(
  storeUrl: string,
  source: SecretKeySource,
): Promise<string | undefined> {
  if (pathOfStore(storeUrl) === undefined && (source.env['DOCSCTL_SECRET_KEY'] ?? '') === '')
    return undefined;
  const key = await orUndefined(secretKeyOf(storeUrl, source)('open'), 'store-failed');
  return key && keyFingerprint(key);
}
