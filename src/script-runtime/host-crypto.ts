import { webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { subtleOperations } from './subtle-operations.ts';

type Key = webcrypto.CryptoKey;

/** The most keys of one context. */
const maxKeys = 1000;

/** What an operation yields: JSON, or bytes. */
export interface CryptoResult {
  readonly value: unknown;
  readonly bytes?: ArrayBuffer;
}

const operations = new Set<string>(subtleOperations);

/** Returns a function that does operations of the Web Cryptography API and keeps the keys of one context. */
export function createCrypto(): (args: readonly unknown[]) => Promise<CryptoResult> {
  const keys = new Map<number, Key>();
  const keep = (key: Key): unknown => {
    if (keys.size >= maxKeys) throw new RangeError(`A script may have at most ${maxKeys} keys.`);
    const id = keys.size + 1;
    keys.set(id, key);
    const { type, extractable, algorithm, usages } = key;
    return { $key: { id, type, extractable, algorithm: plainAlgorithm(algorithm), usages } };
  };
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack);
    if (typeof value !== 'object' || value === null) return value;
    const { $key, $bytes } = value as Record<string, unknown>;
    if (typeof $bytes === 'string') return new Uint8Array(Buffer.from($bytes, 'base64'));
    if ($key === undefined)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpack(one)]));
    const key = keys.get($key as number);
    if (key === undefined) throw new TypeError('There is no such key.');
    return key;
  };
  return async ([name, ...args]) => {
    if (typeof name !== 'string' || !operations.has(name)) throw new TypeError('There is no such operation.');
    const [first] = args;
    checkCost(first);
    const { subtle } = webcrypto;
    const operation = subtle[name as 'digest'] as (...all: unknown[]) => Promise<unknown>;
    const result = await operation.apply(subtle, args.map(unpack));
    if (result instanceof ArrayBuffer) return { value: null, bytes: result };
    if (types.isCryptoKey(result)) return { value: keep(result) };
    if (typeof result !== 'object' || result === null) return { value: result };
    const { publicKey, privateKey } = result as Record<string, unknown>;
    if (types.isCryptoKey(publicKey) && types.isCryptoKey(privateKey))
      return { value: { publicKey: keep(publicKey), privateKey: keep(privateKey) } };
    return { value: result };
  };
}

/** The algorithm of a key as JSON. The exponent of RSA is bytes. */
function plainAlgorithm(algorithm: object): object {
  return Object.fromEntries(
    Object.entries(algorithm).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Array.from(value) : (value as unknown),
    ]),
  );
}

/** Refuses what would keep a processor busy for long: it runs outside of the script's own time. */
function checkCost(algorithm: unknown): void {
  if (typeof algorithm !== 'object' || algorithm === null) return;
  const { iterations, modulusLength } = algorithm as Record<string, unknown>;
  if (typeof iterations === 'number' && iterations > 1_000_000)
    throw new RangeError('At most 1,000,000 iterations are allowed.');
  if (typeof modulusLength === 'number' && modulusLength > 4096)
    throw new RangeError('Keys of RSA may have at most 4096 bits.');
}
