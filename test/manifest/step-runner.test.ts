import { expect, it } from 'vitest';
import { readState } from '../../src/manifest/state-file.ts';
import { createBench } from './bench.ts';

const rest = 'spaces: { a: { title: A } }\nsites:\n  other: { title: Other }\n';

it('a deletion removes the resource and its children from the state file together', async () => {
  const bench = await createBench(
    `${rest}  docs: { title: Docs, sections: [{ path: a, space: !ref space.a, default: true }] }\n`,
  );
  await bench.apply();
  const owned = () =>
    readState(bench.lockOptions)
      .entries()
      .map(([address]) => address);
  expect(owned()).toContain('site.docs');
  expect(owned().length).toBeGreaterThan(3);
  bench.write(rest);
  await bench.apply({ prune: true });
  expect(owned()).toEqual(['site.other', 'space.a']);
});
