import { basename } from 'node:path';
import { listSome } from '../../../contract/values.ts';
import type { StoreTarget } from '../../../stores/backup/restore.ts';
import { pathOfStore } from '../../../stores/url.ts';
import type { Session } from '../../session.ts';

/** Says which keys of secrets are missing, and what to do. Returns their fingerprints. */
export async function noteMissingKey(
  { runtime, note }: Session,
  { url, cwd }: StoreTarget,
  keys: readonly string[],
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const { fingerprintOfKey } = await import('../../../stores/backup/key-report.ts');
  const present = await fingerprintOfKey(url, runtime);
  const missing = keys.filter((key) => key !== present);
  if (missing.length === 0) return [];
  const path = pathOfStore(url, cwd);
  const advice =
    path === undefined
      ? 'Set'
      : `Copy the original key file to ${basename(path)}.key beside the store, or set`;
  note(
    `Warning: secrets of this store are encrypted with the key ${listSome(missing)}, and ${present === undefined ? 'there is no key here' : `the key here is ${present}`}. ${advice} DOCSCTL_SECRET_KEY to the original key. Without it, set the secrets of integrations and of git synchronizations again.`,
  );
  return missing;
}
