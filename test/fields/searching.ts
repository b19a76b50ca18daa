import { expect } from 'vitest';
import { getPageByPath } from '../../src/resources/content/space-pages/contract.ts';
import { searchOrganization } from '../../src/resources/search/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { openDesk, page as newPage } from '../resources/content-support.ts';
import type { Bench, Try } from './bench.ts';

const markdown = '# Child\n\nBefore.\n\n## Install\n\nUse the lantern.\n';

async function furnish(bench: Bench) {
  const { call, org, world } = bench;
  const { spaceId, publish } = await openDesk(world);
  const made = await publish(newPage('Parent'), newPage('Child', { document: { markdown } }));
  const [parent, child] = (made.pages ?? []).map(({ id }) => id) as [string, string];
  const find = async (query: string) => (await call(searchOrganization, org, { query: { query } })).items;
  const update = (page: string, change: object) =>
    publish({ operation: 'update_page', page, ...change } as never);
  return { space: { spaceId }, parent, child, find, update, publish };
}

export const tries: readonly Try[] = [
  {
    of: 'search',
    fields: ['id', 'title', 'pages'],
    run: async (bench) => {
      const { space, child, find, publish } = await furnish(bench);
      expect(await find('nothing')).toEqual([]);
      expect(await find('lantern')).toMatchObject([
        { id: space.spaceId, title: 'Guide', pages: [{ id: child }] },
      ]);
      await bench.call(updateSpace, space, { body: { title: 'Handbook' } });
      expect(await find('lantern')).toMatchObject([{ title: 'Handbook' }]);
      await publish({ operation: 'delete_page', page: child });
      expect(await find('lantern')).toEqual([]);
    },
  },
  {
    of: 'search-page',
    fields: ['id', 'title', 'path', 'sections', 'ancestors.title', 'urls.app'],
    run: async (bench) => {
      const { space, parent, child, find, update } = await furnish(bench);
      const look = async () => (await find('lantern'))[0]?.pages[0];
      const address = `http://localhost:8080/o/org_acme/s/${space.spaceId}`;
      expect(await look()).toMatchObject({
        id: child,
        title: 'Child',
        path: 'child',
        ancestors: [],
        urls: { app: `${address}/child` },
      });
      await update(child, { title: 'Lamp', slug: 'lamp', into: parent });
      const moved = await look();
      expect(moved).toMatchObject({
        id: child,
        title: 'Lamp',
        path: 'parent/lamp',
        ancestors: [{ title: 'Parent' }],
        urls: { app: `${address}/parent/lamp` },
      });
      const found = await bench.call(getPageByPath, { ...space, pagePath: moved?.path ?? '' });
      expect(found).toMatchObject({ id: child, urls: moved?.urls });
      expect(moved?.sections.map(({ title }) => title)).toEqual(['Install']);
      await update(child, { document: { markdown: '# Lamp\n\n## A lantern\n\n## The lantern\n' } });
      expect((await look())?.sections.map(({ title }) => title).sort()).toEqual(['A lantern', 'The lantern']);
    },
  },
  {
    of: 'search-section',
    fields: ['id', 'title', 'path', 'body', 'urls.app'],
    run: async (bench) => {
      const { space, child, find, update } = await furnish(bench);
      const look = async () => (await find('lantern'))[0]?.pages[0]?.sections[0];
      const address = `http://localhost:8080/o/org_acme/s/${space.spaceId}`;
      const before = await look();
      expect(before).toMatchObject({
        title: 'Install',
        path: 'child#install',
        body: 'Use the lantern.',
        urls: { app: `${address}/child#install` },
      });
      const text = markdown.replace('## Install', '## Set up').replace('Use', 'Light');
      await update(child, { document: { markdown: text } });
      const after = await look();
      expect(after).toMatchObject({
        title: 'Set up',
        path: 'child#set-up',
        body: 'Light the lantern.',
        urls: { app: `${address}/child#set-up` },
      });
      await update(child, { document: { markdown: 'The lantern and the lamp.' } });
      const whole = await look();
      expect(whole).toMatchObject({ title: 'Child', path: 'child', body: 'The lantern and the lamp.' });
      expect(new Set([before?.id, whole?.id, undefined]).size).toBe(3);
    },
  },
];
