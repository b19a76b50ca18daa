import { linkSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, resolve } from 'node:path';
import type { SecretKey } from '../core/secrets.ts';
import { Problem } from '../errors/problem.ts';
import { isFile, syncParentFolder, writeDurably } from './files.ts';
import { parseStoreUrl } from './url.ts';

export interface SecretKeySource {
  /** The folder that relative paths start from (default: the current folder of the process). */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns the fingerprints of the keys with which secrets of the store are sealed (default: none). */
  readonly sealingKeys?: () => Promise<readonly string[]>;
}

const variable = 'DOCSCTL_SECRET_KEY';
const hint =
  'A key is 32 bytes, written as 64 hexadecimal digits or as base64. `openssl rand -hex 32` creates one.';

/**
 * Returns the source of the key that the secrets of a store are encrypted with: DOCSCTL_SECRET_KEY, else the file
 * STORE.key, which is created when the first secret is encrypted. A store in PostgreSQL has no such file. The key is read on
 * first use.
 */
export function secretKeyOf(storeUrl: string, source: SecretKeySource): SecretKey {
  let key: Uint8Array | undefined;
  return async (use) => (key ??= await findKey(storeUrl, source, use));
}

async function findKey(
  storeUrl: string,
  { cwd = '', env, randomBytes, sealingKeys }: SecretKeySource,
  use: 'seal' | 'open',
): Promise<Uint8Array> {
  const value = env[variable] ?? '';
  if (value !== '') return readKey(value, variable);
  const { scheme, path } = parseStoreUrl(storeUrl);
  // The secrets end with the process, so the key can be temporary.
  if (scheme === 'memory') return randomBytes(32);
  // Another machine could not read a key file of this one.
  if (scheme === 'postgres')
    throw new Problem('invalid-input', `A store in PostgreSQL needs the key of its secrets in ${variable}.`, {
      hint: `${hint} Use the same key for every server and command that uses the store.`,
    });
  const file = resolve(cwd, `${path}.key`);
  if (!isFile(file)) {
    // A new key could not decrypt the secrets, and would hide that the original one is missing.
    const [lost] = use === 'open' ? [''] : ((await sealingKeys?.()) ?? []);
    if (lost !== undefined)
      throw new Problem(
        'store-failed',
        `The secrets of this store cannot be ${use === 'open' ? 'decrypted' : 'encrypted'}: the key file ${basename(file)} beside the store is missing${lost === '' ? '' : `, and it has secrets that were encrypted with the key ${lost}`}.`,
        {
          hint: `Put the original file back, or set ${variable} to the key. Backups of the store do not contain it.`,
        },
      );
    makeKey(
      file,
      `${file.slice(0, -'.key'.length)}.${Buffer.from(randomBytes(8)).toString('hex')}.new-key`,
      randomBytes,
    );
  }
  // On Windows, the mode bits do not show who may read a file.
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

/**
 * Creates the key file. The key is written to a temporary file and linked, so the file is never incomplete, and if two
 * processes create it at the same time, the first one wins.
 */
function makeKey(file: string, temporary: string, randomBytes: SecretKeySource['randomBytes']): void {
  writeDurably(temporary, [`${Buffer.from(randomBytes(32)).toString('hex')}\n`]);
  try {
    linkSync(temporary, file);
    syncParentFolder(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
}

/** Parses a key from a variable or a file. @throws Problem(invalid-input) */
export function readKey(value: string, source: string): Uint8Array {
  const text = value.trim();
  const key = /^[\da-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  if (key?.length !== 32) throw new Problem('invalid-input', `${source} does not contain a key.`, { hint });
  return key;
}
