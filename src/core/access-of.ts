import { isRecord } from '../contract/values.ts';
import type { CheckedInput } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';
import { hashToken, type Credential } from './callers.ts';
import { laneOf } from './lanes.ts';
import type { Key, Store, WriteOptions } from './store.ts';

/**
 * Describes which rows a call reads and writes, for `ReadOptions` and `WriteOptions`. The values are calculated only when a
 * driver asks for them.
 */
export function accessOf(
  store: Store,
  { id, safe }: Operation,
  credential: Credential,
  { params, query, body }: CheckedInput,
): WriteOptions {
  const inputs = (): Record<string, unknown>[] =>
    [params, query, ...(safe || ArrayBuffer.isView(body) ? [] : [body])].filter(isRecord);
  return {
    get like() {
      const names = inputs().flatMap((input) =>
        Object.keys(input).filter((name) => typeof input[name] === 'string'),
      );
      return [id, credential.kind, ...names].join(' ');
    },
    given: () => [
      secretKeyOf(credential),
      ...inputs().flatMap((input) => Object.values(input).filter((value) => typeof value === 'string')),
    ],
    get lane() {
      return laneOf(store, params);
    },
  };
}

function secretKeyOf(credential: Credential): Key {
  if (credential.kind === 'token') return hashToken(credential.token);
  return credential.kind === 'session' ? hashToken(credential.session) : null;
}
