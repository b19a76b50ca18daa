import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/server/threads/fair-queue.ts';

const any = (): boolean => true;

describe('a fair queue', () => {
  it('serves organizations in turn', () => {
    const queue = new FairQueue<{ organization: string; name: string }>();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
      queue.add({ organization: name.charAt(0), name });
    const taken = Array.from({ length: 7 }, () => queue.take(any)?.name);
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('skips organizations that are not eligible', () => {
    const queue = new FairQueue<{ organization: string }>();
    for (const organization of ['a', 'b']) queue.add({ organization });
    expect(queue.take((organization) => organization === 'b')).toEqual({ organization: 'b' });
    expect(queue.take((organization) => organization === 'b')).toBeUndefined();
    expect(queue.countOf('a')).toBe(1);
  });

  it('returns every entry once, the oldest of an organization first, unless it was removed', () => {
    const organization = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ add: organization }),
      fc.record({ remove: fc.nat(30) }),
      fc.constant('take'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new FairQueue<{ organization: string; number: number }>();
        const added: { organization: string; number: number }[] = [];
        const waiting = new Set<(typeof added)[number]>();
        for (const one of steps) {
          if (one === 'take') {
            const taken = queue.take(any);
            expect(taken === undefined).toBe(waiting.size === 0);
            if (taken === undefined) continue;
            const first = [...waiting].find((other) => other.organization === taken.organization);
            expect(taken).toBe(first);
            waiting.delete(taken);
          } else if ('add' in one) {
            const work = { organization: one.add, number: added.length };
            added.push(work);
            waiting.add(work);
            queue.add(work);
          } else {
            const work = added[one.remove];
            if (work !== undefined) expect(queue.remove(work)).toBe(waiting.delete(work));
          }
          expect(queue.size).toBe(waiting.size);
        }
      }),
    );
  });
});
