import { monotonicFactory, type ULIDFactory } from 'ulid';

/** Creates an ID such as `spc_01J…`: a prefix for the kind, then a ULID, so that later IDs sort later. */
export type NewId = (prefix: string) => string;

export function createIds(clock: () => number, random: () => number): NewId {
  let next: ULIDFactory | undefined;
  return (prefix) => `${prefix}_${(next ??= monotonicFactory(random))(clock())}`;
}

/** Returns a source of random numbers from 0 to 1 (excluded) in steps of 1/256, which IDs need. It draws 512 bytes at a time, as each draw is slow. */
export function randomFractions(randomBytes: (count: number) => Uint8Array): () => number {
  let drawn: Uint8Array = new Uint8Array();
  let at = 0;
  return () => {
    if (at === drawn.length) [drawn, at] = [randomBytes(512), 0];
    return drawn[at++]! / 256;
  };
}
