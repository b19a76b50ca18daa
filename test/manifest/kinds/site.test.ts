import { expect, it } from 'vitest';
import { createBench } from '../bench.ts';

const site = (settings: string, more = '') => `
spaces: { guide: { title: Guide }, secret: { title: Secret } }
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
  'lets fewer people read a site before a space is added, and more people at the end',
  async (open, closed) => {
    const bench = await createBench();
    await bench.bring(site(open));
    bench.write(site(closed, secret));
    const { steps } = await bench.plan();
    const own = steps.filter(({ address, action }) => address === 'site.docs' && action !== 'none');
    expect(own).toMatchObject([{ key: 'site.docs', action: 'update' }]);
    const added = steps.filter(({ kind, action }) => kind === 'site-space' && action === 'create');
    expect(added).toMatchObject([{ after: expect.arrayContaining(['site.docs']) }]);
    await bench.apply();
    expect((await bench.plan()).steps.filter(({ action }) => action !== 'none')).toEqual([]);
    bench.write(site(open, secret));
    expect((await bench.plan()).steps.filter(({ late }) => late === true)).toHaveLength(1);
  },
);
