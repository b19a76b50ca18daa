import { describe, expect, it } from 'vitest';
import { createBench, linesOf } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';

describe('site spaces in a manifest', () => {
  it('are refused if the first one of a new section has a title other than that of its space', async () => {
    const text = (first: string) =>
      `spaces: { a: { title: A }, b: { title: B } }\nsites: { s: { sections: [{ path: x, siteSpaces: [{ path: a, space: !ref space.a${first} }, { path: b, space: !ref space.b, title: Bee }] }] } }`;
    const bench = await createBench(text(', title: Aah'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:26: section.s/x does not exist yet; the first site space of a new section takes the title of its space; remove the title of that site space, or put another one first',
    ]);
    await bench.bring(text(''));
    expect(linesOf(await bench.plan())).toEqual([]);
  });
});
