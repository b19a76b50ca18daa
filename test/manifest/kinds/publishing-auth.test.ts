import { describe, expect, it } from 'vitest';
import { getPublishingAuth } from '../../../src/resources/site-publishing-auth/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';

const [login, logout] = ['https://example.com/login', 'https://example.com/logout'];
const text = (auth: string) => `sites:\n  docs: { title: Docs, visibility: visitor-auth${auth} }`;
const read = async (bench: Bench) => {
  const params = { organizationId: bench.world.org, siteId: bench.lock!.resources['site.docs']!.id };
  const { fallbackURL, logoutURL } = await bench.world.as('admin').call(getPublishingAuth, { params });
  return [fallbackURL, logoutURL];
};

describe('where visitors sign in and out', () => {
  it('is set with the site, and is as wanted then', async () => {
    const bench = await createBench();
    await bench.bring(text(`, publishingAuth: { fallbackURL: "${login}", logoutURL: "${logout}" }`));
    expect(await read(bench)).toEqual([login, logout]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('an address that is left out or null is removed, and a field that is left out is kept', async () => {
    const bench = await createBench();
    await bench.bring(text(`, publishingAuth: { fallbackURL: "${login}", logoutURL: "${logout}" }`));
    bench.write(text(`, publishingAuth: { fallbackURL: "${login}", logoutURL: null }`));
    await bench.apply();
    expect(await read(bench)).toEqual([login, undefined]);
    bench.write(text(''));
    await bench.apply();
    expect(await read(bench)).toEqual([login, undefined]);
    bench.write(text(', publishingAuth: {}'));
    await bench.apply();
    expect(await read(bench)).toEqual([undefined, undefined]);
  });

  it('a site without a key is as a manifest without addresses wants it', async () => {
    const bench = await createBench();
    await bench.bring('sites:\n  docs: { title: Docs }');
    bench.write('sites:\n  docs: { title: Docs, publishingAuth: { fallbackURL: null } }');
    expect(linesOf(await bench.plan())).toEqual([]);
  });
});
