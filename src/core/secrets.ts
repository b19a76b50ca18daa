import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Problem } from '../errors/problem.ts';

/** Returns the key that secrets are encrypted with, 32 bytes. Only the use `seal` may create a new key. */
export type SecretKey = (use: 'seal' | 'open') => Promise<Uint8Array>;

/**
 * Encrypts the secrets in a store. `about` names the owner of a secret, which can be opened only with the same name.
 */
export interface Vault {
  seal(text: string, about: string): Promise<string>;
  /** Decrypts a secret. @throws Problem(store-failed) if it was sealed with another key or owner, or was changed */
  open(sealed: string, about: string): Promise<string>;
}

const sealedPattern = /^v1\.([\da-f]{8})\.([\w-]{16})\.([\w-]{22})\.([\w-]*)$/;

/** Creates a vault with AES-256-GCM. A sealed secret is `v1.KEY.IV.TAG.TEXT`, where KEY is a fingerprint of the key. */
export function createVault(secretKey: SecretKey, randomBytes: (count: number) => Uint8Array): Vault {
  return {
    async seal(text, about) {
      const key = await secretKey('seal');
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [
        'v1',
        keyFingerprint(key),
        ...[iv, cipher.getAuthTag(), sealed].map((bytes) => Buffer.from(bytes).toString('base64url')),
      ].join('.');
    },
    async open(sealed, about) {
      const key = await secretKey('open');
      const [, name = '', iv = '', tag = '', text = ''] = sealedPattern.exec(sealed) ?? [];
      if (name !== '' && name !== keyFingerprint(key))
        throw new Problem(
          'store-failed',
          `A secret in this store was encrypted with the key ${name}, but docsctl has the key ${keyFingerprint(key)}.`,
          { hint },
        );
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
          authTagLength: 16,
        })
          .setAAD(Buffer.from(about))
          .setAuthTag(Buffer.from(tag, 'base64url'));
        return decipher.update(text, 'base64url', 'utf8') + decipher.final('utf8');
      } catch {
        // The original error says nothing more, so it is not the cause.
        throw new Problem(
          'store-failed',
          `Cannot decrypt ${about}: the encrypted value in the store is damaged or was changed.`,
          {
            hint: 'Set the secret again, or run `docsctl store restore FILE --replace` to go back to a backup.',
          },
        );
      }
    },
  };
}

const hint = 'Set DOCSCTL_SECRET_KEY to the original key, or put the original key file beside the store.';

/** Returns a random secret of URL-safe characters: 32 for 24 bytes. */
export function createSecret(randomBytes: (count: number) => Uint8Array, bytes = 24): string {
  return Buffer.from(randomBytes(bytes)).toString('base64url');
}

/** Returns the fingerprint of the key that a value was sealed with; undefined if it is not a sealed secret. */
export function keyOfSealed(value: unknown): string | undefined {
  return typeof value === 'string' ? sealedPattern.exec(value)?.[1] : undefined;
}

/** Returns 8 digits of a hash, which distinguish keys and reveal nothing about them. */
export function keyFingerprint(key: Uint8Array): string {
  return createHash('sha256').update('docsctl key ').update(key).digest('hex').slice(0, 8);
}
