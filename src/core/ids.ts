import { monotonicFactory } from 'ulid';

/** Makes ids such as `spc_01J…`: a prefix that tells the kind, then a ULID, so that later ids sort later. */
export type NewId = (prefix: string) => string;

export function createIds(clock: () => number, random?: () => number): NewId {
  const next = random === undefined ? monotonicFactory() : monotonicFactory(random);
  return (prefix) => `${prefix}_${next(clock())}`;
}
