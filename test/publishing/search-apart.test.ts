import { expect, it } from 'vitest';
import type { ReadTransaction, Store } from '../../src/core/store.ts';
import { answerSite } from '../../src/publishing/answer-site.ts';
import { PageCache } from '../../src/publishing/page-cache.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import type { SiteCall } from '../../src/server/threads/messages.ts';
import { publishedSite } from './published-site.ts';

it('a long search of a site is answered by another thread, as this one would, and nothing else is', async () => {
  const site = await publishedSite([{ title: 'Needle', text: 'Where is the needle?' }]);
  const { core } = site;
  // So many sections that a search of them takes long.
  const withMany = (view: ReadTransaction): ReadTransaction => ({
    get: (table, id) => view.get(table, id),
    find: (table, query) => view.find(table, query),
    scan: (table, after, limit) => view.scan(table, after, limit),
    search: (table, search) => view.search(table, search),
    count: async () => 1_000_000,
  });
  const store: Store = {
    ...core.store,
    read: (work, options) => core.store.read((view) => work(withMany(view)), options),
  };
  const asked: (readonly [string, SiteCall])[] = [];
  const server = await createSitesServer({
    core: { ...core, store },
    newRequestId: () => 'req',
    log: undefined,
    threads: {
      readMarkdown: async () => {
        throw new Error('The text is short.');
      },
      answerSite: async (sites, sent) => {
        const call = structuredClone(sent);
        asked.push([sites, call]);
        const { query, request, ...options } = call;
        return structuredClone(
          await answerSite(core, new PageCache(), { ...request, query: new URLSearchParams(query) }, options),
        );
      },
    },
  });
  const read = async (from: typeof server, path: string, accept = '*/*') => {
    const url = `/sites/acme/docs/${path}`;
    const { statusCode, headers, body } = await from.inject({ url, headers: { host: 'docs.test', accept } });
    return { statusCode, type: headers['content-type'], body };
  };
  expect(await read(server, '')).toEqual(await read(site.server, ''));
  expect(asked).toEqual([]);
  for (const accept of ['*/*', 'application/json']) {
    const found = await read(server, '~gitbook/search?q=needle&space=%2F', accept);
    expect(found).toEqual(await read(site.server, '~gitbook/search?q=needle&space=%2F', accept));
    expect(found.body).toContain('Where is the');
  }
  expect(asked.map(([sites, { query }]) => [sites, query])).toEqual([
    ['docs.test acme', 'q=needle&space=%2F'],
    ['docs.test acme', 'q=needle&space=%2F'],
  ]);
  await server.close(0);
});
