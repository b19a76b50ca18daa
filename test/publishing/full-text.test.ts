import { afterEach, expect, it, vi } from 'vitest';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { publishedSite } from './published-site.ts';

afterEach(() => vi.restoreAllMocks());

it('is of one revision, though the content changes while it is made, and is made once', async () => {
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
  // Each page takes the time of a whole transaction.
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
  // Those who ask at the same time wait for the same text.
  await site.change(site.spaceId, [
    { operation: 'update_page', page: site.pages.get('Page 0'), document: { markdown: textOf(3, 0) } },
  ]);
  const three = await Promise.all([visit(), visit(), visit()]);
  expect(three).toEqual(Array.from({ length: 3 }, () => ['0:3', ...whole(2).slice(1)]));
  expect(reads).toBeLessThan(6 + 3 * kept + 1);
  await server.close(0);
});
