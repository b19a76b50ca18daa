import { linkSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, resolve } from 'node:path';
import type { SecretKey } from '../core/secrets.ts';
import { Problem } from '../errors/problem.ts';
import { isFile, syncParentFolder, writeDurably } from './files.ts';
import { parseStoreUrl } from './url.ts';

export interface SecretKeySource {
  /** The folder that a relative path starts from; the one of the process by default. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly randomBytes: (count: number) => Uint8Array;
}

const variable = 'DOCSCTL_SECRET_KEY';
const hint =
  'A key is 32 bytes, written as 64 hexadecimal digits or as base64. `openssl rand -hex 32` creates one.';

/** The key that secrets of a store are encrypted with: from the environment, else from the file STORE.key, made when the first of them is encrypted. */
export function secretKeyOf(storeUrl: string, source: SecretKeySource): SecretKey {
  let known: Uint8Array | undefined;
  return async (use) => (known ??= findKey(storeUrl, source, use));
}

function findKey(
  storeUrl: string,
  { cwd = '', env, randomBytes }: SecretKeySource,
  use: 'seal' | 'open',
): Uint8Array {
  const given = env[variable] ?? '';
  if (given !== '') return readKey(given, variable);
  const { scheme, path } = parseStoreUrl(storeUrl);
  // What it encrypts is gone with the process.
  if (scheme === 'memory') return randomBytes(32);
  const file = resolve(cwd, `${path}.key`);
  if (!isFile(file)) {
    // A new one would open nothing, and hide that the old one is missed.
    if (use === 'open')
      throw new Problem(
        'store-failed',
        `The secrets of this store cannot be decrypted: the key file ${basename(file)} beside the store is missing.`,
        {
          hint: `Restore the file from a backup, or set ${variable} to the key.`,
        },
      );
    makeKey(
      file,
      `${file.slice(0, -'.key'.length)}.${Buffer.from(randomBytes(8)).toString('hex')}.new-key`,
      randomBytes,
    );
  }
  // Windows tells who may read in another way, and shows bits that mean nothing.
  if ((statSync(file).mode & 0o004) !== 0 && platform() !== 'win32')
    throw new Problem(
      'store-failed',
      `Every user of this machine can read the key of the store, ${basename(file)}.`,
      {
        hint: `Run \`chmod 600 ${basename(file)}\` in the folder of the store. Renew the secrets if other users may have read them.`,
      },
    );
  return readKey(readFileSync(file, 'utf8'), basename(file));
}

/** Written beside and linked: of two that make one at the same time the first wins, and no half of a key is ever there. */
function makeKey(file: string, beside: string, randomBytes: SecretKeySource['randomBytes']): void {
  writeDurably(beside, [`${Buffer.from(randomBytes(32)).toString('hex')}\n`]);
  try {
    linkSync(beside, file);
    syncParentFolder(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(beside);
  }
}

function readKey(given: string, from: string): Uint8Array {
  const text = given.trim();
  const key = /^[\da-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  if (key?.length !== 32) throw new Problem('usage', `${from} does not contain a key.`, { hint });
  return key;
}
