import { expect, it } from 'vitest';
import { createBench, linesOf } from '../bench.ts';

const site = (settings: string, more = '', title = 'Guide') => `
spaces: { guide: { title: ${title} }, secret: { title: Secret } }
sites:
  docs:
    title: Docs
    ${settings}
    siteSpaces: [{ path: guide, space: !ref space.guide, default: true }${more}]
`;
const secret = ', { path: secret, space: !ref space.secret }';

it.each([
  ['published: true\n    visibility: public', 'published: true\n    visibility: visitor-auth'],
  ['published: true\n    visibility: unlisted', 'published: true\n    visibility: share-link'],
  ['published: true', 'published: false'],
])(
  'lets fewer people read a site before a space is added or changed, and more people at the end',
  async (open, closed) => {
    const bench = await createBench();
    await bench.bring(site(open));
    bench.write(site(closed, secret, 'Guide 2'));
    const { steps } = await bench.plan();
    const own = steps.filter(({ address, action }) => address === 'site.docs' && action !== 'none');
    expect(own).toMatchObject([{ key: 'site.docs', action: 'update' }]);
    expect(steps.find(({ key }) => key === 'space.guide')).toMatchObject({ after: ['site.docs'] });
    const added = steps.filter(({ kind, action }) => kind === 'site-space' && action === 'create');
    expect(added).toMatchObject([{ after: expect.arrayContaining(['site.docs']) }]);
    await bench.apply();
    expect((await bench.plan()).steps.filter(({ action }) => action !== 'none')).toEqual([]);
    bench.write(site(open, secret, 'Guide 3'));
    expect((await bench.plan()).steps.filter(({ late }) => late === true)).toMatchObject([
      { after: ['space.guide'] },
    ]);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
  },
);

it('a change of a space waits only for a site that shows it, even if the manifest does not state its spaces', async () => {
  const bench = await createBench();
  await bench.bring(site('published: true\n    visibility: public'));
  bench.write(
    'spaces: { guide: { title: Guide 2 }, secret: { title: Secret 2 } }\nsites: { docs: { visibility: share-link } }',
  );
  const { steps } = await bench.plan();
  const afterOf = (key: string) => steps.find((step) => step.key === key)?.after;
  expect([afterOf('space.guide'), afterOf('space.secret')]).toEqual([['site.docs'], []]);
});
