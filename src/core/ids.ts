import { monotonicFactory, type ULIDFactory } from 'ulid';

/** Makes ids such as `spc_01J…`: a prefix that tells the kind, then a ULID, so that later ids sort later. */
export type NewId = (prefix: string) => string;

export function createIds(clock: () => number, random?: () => number): NewId {
  // Made at the first use: without a source of its own it loads all of Node's cryptography.
  let next: ULIDFactory | undefined;
  return (prefix) => `${prefix}_${(next ??= monotonicFactory(random))(clock())}`;
}
