import { expect } from 'vitest';

// `toEqual` compares each byte separately, which takes 50 ms for 100 kB. This compares whole buffers.

const shared = globalThis as { comparesBytes?: boolean };
if (shared.comparesBytes !== true) {
  shared.comparesBytes = true;
  expect.addEqualityTesters([
    (one: unknown, other: unknown) =>
      one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor
        ? Buffer.compare(one, other) === 0
        : undefined,
  ]);
}
