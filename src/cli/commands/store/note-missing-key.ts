import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { shellWord } from '../../../contract/shell-word.ts';
import { listSome } from '../../../contract/values.ts';
import type { StoreTarget } from '../../../stores/backup/restore.ts';
import { pathOfStore } from '../../../stores/url.ts';
import type { Session } from '../../session/session.ts';

/** What to do if the key of secrets is lost. */
export const withoutKey =
  'Without it, set the secrets of integrations and of git synchronizations again, and replace the signing secret of each integration (`docsctl integrations signing-secret NAME`).';

/**
 * Notes which keys of secrets are missing, and what to do. `original` is the path of the store from which the rows come, if it is
 * in a file. Returns the fingerprints of the missing keys.
 */
export async function noteMissingKey(
  { runtime, note }: Session,
  { url, cwd }: StoreTarget,
  keys: readonly string[],
  original?: string,
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const { fingerprintOfKey } = await import('../../../stores/backup/key-report.ts');
  const present = await fingerprintOfKey(url, runtime);
  const missing = keys.filter((key) => key !== present);
  if (missing.length === 0) return [];
  note(
    `Warning: secrets of this store are encrypted with the key ${listSome(missing)}, and ${present === undefined ? 'there is no key here' : `the key here is ${present}`}. ${adviseOnKey(pathOfStore(url, cwd), original && `${original}.key`)} ${withoutKey}`,
  );
  return missing;
}

/** Returns how to give a store its key. `keyFile` may contain it. */
function adviseOnKey(path: string | undefined, keyFile: string | undefined): string {
  if (keyFile !== undefined && existsSync(keyFile)) {
    const file = shellWord(keyFile);
    const command =
      path === undefined
        ? `export DOCSCTL_SECRET_KEY="$(cat ${file})"`
        : `cp -p ${file} ${shellWord(`${path}.key`)}`;
    return `To give the new store the key of the old one, run \`${command}\`.`;
  }
  return path === undefined
    ? 'Set DOCSCTL_SECRET_KEY to the original key.'
    : `Copy the original key file to ${basename(path)}.key beside the store, or set DOCSCTL_SECRET_KEY to the original key.`;
}
