import { afterEach, expect, it, vi } from 'vitest';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { publishedSite } from './published-site.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { deleteSpace } from '../../src/resources/spaces/contract.ts';

afterEach(() => vi.restoreAllMocks());

it('the full text of a site is made once, of one revision, even if the content changes meanwhile', async () => {
  const textOf = (version: number, page: number) => `The text is version-${version}-of page ${page}.`;
  const site = await publishedSite(
    Array.from({ length: 6 }, (_, page) => ({ title: `Page ${page}`, text: textOf(1, page) })),
  );
  const { store } = site.core;
  let reads = 0;
  let onRead = async (): Promise<void> => {};
  const server = await createSitesServer({
    core: {
      ...site.core,
      store: {
        ...store,
        read: async (work) => {
          reads++;
          await onRead();
          return store.read(work);
        },
      },
    },
    newRequestId: () => 'req',
    log: undefined,
  });
  const visit = async () => {
    reads = 0;
    const { body } = await server.inject({ url: '/sites/acme/docs/llms-full.txt' });
    return [...body.matchAll(/version-(\d+)-of page (\d)/g)].map(([, version, page]) => `${page}:${version}`);
  };
  const whole = (version: number) => Array.from({ length: 6 }, (_, page) => `${page}:${version}`);
  // Each page takes as long as a whole transaction.
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
  onRead = async () => {
    if (reads !== 4) return;
    onRead = async () => {};
    await site.change(
      site.spaceId,
      [...site.pages.values()].map((page, number) => ({
        operation: 'update_page',
        page,
        document: { markdown: textOf(2, number) },
      })),
    );
  };
  expect(await visit()).toEqual(whole(1));
  expect(reads).toBeGreaterThan(6);
  expect(await visit()).toEqual(whole(2));
  expect(reads).toBeGreaterThan(6);
  expect(await visit()).toEqual(whole(2));
  const kept = reads;
  expect(kept).toBeLessThan(4);
  // Simultaneous requests wait for the same text.
  await site.change(site.spaceId, [
    { operation: 'update_page', page: site.pages.get('Page 0'), document: { markdown: textOf(3, 0) } },
  ]);
  const three = await Promise.all([visit(), visit(), visit()]);
  expect(three).toEqual(Array.from({ length: 3 }, () => ['0:3', ...whole(2).slice(1)]));
  expect(reads).toBeLessThan(6 + 3 * kept + 1);
  await server.close(0);
});

it.each(['llms-full.txt', '~gitbook/pdf'])(
  'a space that is removed while %s is made is omitted, and the store is not reported as damaged',
  async (path) => {
    const site = await publishedSite(
      Array.from({ length: 6 }, (_, page) => ({ title: `Page ${page}`, text: `Text ${page}` })),
    );
    await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
    const { store } = site.core;
    let reads = 0;
    const remove = async (): Promise<void> => {
      await site.call(deleteSpace, { spaceId: site.spaceId }, { query: { now: true } });
      for (let run = 0; run < 3; run++)
        await runDueJobs(site.core, { kind: 'removal', signal: new AbortController().signal });
    };
    const read: typeof store.read = async (work) => {
      reads++;
      if (reads === 3) await remove();
      return store.read(work);
    };
    const server = await createSitesServer({
      core: { ...site.core, store: { ...store, read } },
      newRequestId: () => 'req',
      log: undefined,
    });
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
    const { statusCode, body } = await server.inject({ url: `/sites/acme/docs/${path}` });
    expect(reads).toBeGreaterThan(3);
    expect(body).not.toContain('Text 5');
    expect(statusCode).toBe(path === 'llms-full.txt' ? 200 : 404);
    await server.close(0);
  },
);

it('the full text of a large site says how many pages it leaves out', async () => {
  const site = await publishedSite(
    Array.from({ length: 7 }, (_, page) => ({ title: `Page ${page}`, text: 'word '.repeat(400_000) })),
  );
  const { body } = await site.visit('llms-full.txt');
  expect(body.slice(-200)).toMatch(
    /\n\(3 more pages left out\. All pages: https:\/\/docs\.test\/sites\/acme\/docs\/llms\.txt\)\n$/,
  );
  expect(body).toContain('# Page 3');
  expect(body).not.toContain('# Page 4');
});
