import { monotonicFactory, type ULIDFactory } from 'ulid';

/** Creates an ID such as `spc_01J…`: a prefix for the kind, then a ULID, so that later IDs sort later. */
export type NewId = (prefix: string) => string;

/** Returns a source of new IDs. IDs of the same millisecond are ascending too. `random` returns numbers from 0 to 1. */
export function createIds(clock: () => number, random: () => number): NewId {
  let next: ULIDFactory | undefined;
  return (prefix) => `${prefix}_${(next ??= monotonicFactory(random))(clock())}`;
}

/**
 * Returns a source of random multiples of 1/256 from 0 up to but not including 1. It draws 512 bytes at a time,
 * because each draw is slow.
 */
export function randomFractions(randomBytes: (count: number) => Uint8Array): () => number {
  let drawn: Uint8Array = new Uint8Array();
  let at = 0;
  return () => {
    if (at === drawn.length) [drawn, at] = [randomBytes(512), 0];
    return drawn[at++]! / 256;
  };
}
