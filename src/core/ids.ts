import { monotonicFactory, type ULIDFactory } from 'ulid';

/** Makes ids such as `spc_01J…`: a prefix that tells the kind, then a ULID, so that later ids sort later. */
export type NewId = (prefix: string) => string;

export function createIds(clock: () => number, random: () => number): NewId {
  let next: ULIDFactory | undefined;
  return (prefix) => `${prefix}_${(next ??= monotonicFactory(random))(clock())}`;
}

/** Random numbers from 0 up to 1 in steps of 1/256: more than the digits of an id need. Drawn by the hundred, since each draw has its cost. */
export function randomFractions(randomBytes: (count: number) => Uint8Array): () => number {
  let drawn: Uint8Array = new Uint8Array();
  let at = 0;
  return () => {
    if (at === drawn.length) [drawn, at] = [randomBytes(512), 0];
    return drawn[at++]! / 256;
  };
}
