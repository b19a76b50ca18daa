import { expect, it } from 'vitest';
import { createBench } from './bench.ts';

it('a plan creates sites with a stated basename first, one by one, so that no other site gets one of these', async () => {
  const bench = await createBench();
  bench.write(
    'sites:\n  a: { title: Guide }\n  b: { title: Other, basename: guide }\n  c: { title: More, basename: more }\n',
  );
  const { steps } = await bench.plan();
  const addresses = new Map(steps.map(({ key, address }) => [key, address]));
  const waits = steps
    .filter(({ kind }) => kind === 'site')
    .map(({ address, after }) => [address, after.map((key) => addresses.get(key))]);
  expect(Object.fromEntries(waits)).toEqual({ 'site.a': ['site.c'], 'site.b': [], 'site.c': ['site.b'] });
});
