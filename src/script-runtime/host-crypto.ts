import { webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { RecentMap } from '../core/recent-map.ts';
import { subtleOperations } from './subtle-operations.ts';

type Key = webcrypto.CryptoKey;

/** The most keys of one context. Those that were not used for longest are forgotten. */
const maxKeys = 1000;

/** What an operation yields: JSON, or bytes. */
export interface CryptoResult {
  readonly value: unknown;
  readonly bytes?: ArrayBuffer;
}

const operations = new Set<string>(subtleOperations);

/**
 * Returns a function that does operations of the Web Cryptography API and keeps the keys of one context. It does one after the
 * other, because they compute outside of the script's own time, and only those that are still wanted.
 */
export function createCrypto(): (args: readonly unknown[], isWanted: () => boolean) => Promise<CryptoResult> {
  const keys = new RecentMap<Key>(maxKeys);
  let lastKey = 0;
  let last: Promise<unknown> = Promise.resolve();
  const keep = (key: Key): unknown => {
    const id = ++lastKey;
    keys.set(String(id), key);
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
    const key = keys.get(String($key));
    if (key === undefined) throw new TypeError('There is no such key.');
    return key;
  };
  const perform = async ([name, ...args]: readonly unknown[]): Promise<CryptoResult> => {
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
  return (args, isWanted) => {
    const next = last.then(() => {
      if (!isWanted()) throw new Error('Nobody waits for the result any longer.');
      return perform(args);
    });
    last = next.catch(() => undefined);
    return next;
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
  // A text is a number for the operations as well.
  const isAtMost = (value: unknown, max: number): boolean => value === undefined || Number(value) <= max;
  if (!isAtMost(iterations, 1_000_000)) throw new RangeError('At most 1,000,000 iterations are allowed.');
  if (!isAtMost(modulusLength, 4096)) throw new RangeError('Keys of RSA may have at most 4096 bits.');
}
