import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashSet } from '../../../src/content/collection/hash-set.ts';
import { sha256 } from '../../../src/content/hashing.ts';

test('contains exactly the hashes that were added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3000), { maxLength: 4000 }), (numbers) => {
      const [hashes, model] = [new HashSet(), new Set<number>()];
      for (const number of numbers) {
        expect(hashes.add(sha256(String(number)))).toBe(!model.has(number));
        model.add(number);
      }
      expect(hashes.size).toBe(model.size);
      for (let number = 0; number <= 3000; number += 7)
        expect(hashes.has(sha256(String(number)))).toBe(model.has(number));
    }),
    { numRuns: 20 },
  );
});

test('distinguishes hashes with the same first digits', () => {
  const hashes = new HashSet();
  const hash = (end: string) => `${'0'.repeat(31)}${end}`.padEnd(64, '0');
  expect(hashes.has(hash('0'))).toBe(false);
  expect(hashes.add(hash('2'))).toBe(true);
  expect(hashes.add(hash('4'))).toBe(true);
  expect(hashes.add(hash('2'))).toBe(false);
  expect([hashes.has(hash('2')), hashes.has(hash('4')), hashes.has(hash('6'))]).toEqual([true, true, false]);
});

test('distinguishes hashes that differ in one of their first digits', () => {
  for (let at = 0; at < 31; at++) {
    const hashes = new HashSet();
    hashes.add('0'.repeat(64));
    expect(hashes.has(`${'0'.repeat(at)}1${'0'.repeat(63 - at)}`), `digit ${at}`).toBe(false);
  }
});
