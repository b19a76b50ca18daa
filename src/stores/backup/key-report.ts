import { keyFingerprint } from '../../core/secrets.ts';
import { orUndefined } from '../../errors/problem.ts';
import { secretKeyOf, type SecretKeySource } from '../secret-key.ts';
import { pathOfStore } from '../url.ts';

/** Returns the fingerprint of the key of a store; undefined if it has none here. It creates none. @throws Problem(usage) */
export async function fingerprintOfKey(
  storeUrl: string,
  source: SecretKeySource,
): Promise<string | undefined> {
  if (pathOfStore(storeUrl) === undefined && (source.env['DOCSCTL_SECRET_KEY'] ?? '') === '')
    return undefined;
  const key = await orUndefined(secretKeyOf(storeUrl, source)('open'), 'store-failed');
  return key && keyFingerprint(key);
}
