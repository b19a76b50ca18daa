import { linkSync, readFileSync, unlinkSync } from 'node:fs';
import { Problem } from '../errors/problem.ts';
import { isFile, syncFolderOf, writeDurably } from './files.ts';
import { parseStoreUrl } from './url.ts';

export interface KeySource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly randomBytes: (count: number) => Uint8Array;
}

const variable = 'DOCSCTL_SECRET_KEY';
const hint = 'It holds 32 bytes, as 64 hexadecimal digits or in base64: `openssl rand -hex 32` makes one.';

/** The key that secrets of a store are encrypted with: from the environment, else from the file STORE.key, made at its first use. */
export function secretKeyOf(storeUrl: string, source: KeySource): () => Promise<Uint8Array> {
  let known: Uint8Array | undefined;
  return async () => (known ??= findKey(storeUrl, source));
}

function findKey(storeUrl: string, { env, randomBytes }: KeySource): Uint8Array {
  const given = env[variable] ?? '';
  if (given !== '') return readKey(given, variable);
  const { scheme, path } = parseStoreUrl(storeUrl);
  // What it encrypts is gone with the process.
  if (scheme === 'memory') return randomBytes(32);
  const file = `${path}.key`;
  if (!isFile(file)) makeKey(file, `${path}.${Buffer.from(randomBytes(8)).toString('hex')}.new-key`, randomBytes);
  return readKey(readFileSync(file, 'utf8'), file);
}

/** Written beside and linked: of two that make one at the same time the first wins, and no half of a key is ever there. */
function makeKey(file: string, beside: string, randomBytes: KeySource['randomBytes']): void {
  writeDurably(beside, [`${Buffer.from(randomBytes(32)).toString('hex')}\n`]);
  try {
    linkSync(beside, file);
    syncFolderOf(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(beside);
  }
}

function readKey(given: string, from: string): Uint8Array {
  const text = given.trim();
  const key = /^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (key?.length !== 32) throw new Problem('usage', `${from} holds no key.`, { hint });
  return key;
}
