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

describe('sign-in and sign-out addresses in a manifest', () => {
  it('are set with the site, and the next plan is empty', async () => {
    const bench = await createBench();
    await bench.bring(text(`, publishingAuth: { fallbackURL: "${login}", logoutURL: "${logout}" }`));
    expect(await read(bench)).toEqual([login, logout]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('are removed if they are left out or null, but kept if "publishingAuth" is left out', async () => {
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

  it('have no changes for a site without a signing key if they are null', async () => {
    const bench = await createBench();
    await bench.bring('sites:\n  docs: { title: Docs }');
    bench.write('sites:\n  docs: { title: Docs, publishingAuth: { fallbackURL: null } }');
    expect(linesOf(await bench.plan())).toEqual([]);
  });
});
