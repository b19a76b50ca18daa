import { expect } from 'vitest';
import type { ScriptRuntime } from '../../src/core/scripts.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { getContent } from '../../src/resources/content/space/contract.ts';
import { getPage, listPages } from '../../src/resources/content/space-pages/contract.ts';
import * as openapi from '../../src/resources/openapi/contract.ts';
import { openDesk, outline, page as newPage } from '../resources/content-support.ts';
import { install, publish } from '../resources/integrations/support.ts';
import type { Bench, Try } from './bench.ts';

const shop = (deprecated: boolean) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1', description: '# Start\n\nUse a key.' },
    tags: [{ name: 'stock' }],
    paths: {
      '/items': {
        get: {
          summary: 'List items',
          tags: ['stock'],
          ...(deprecated && { deprecated }),
          responses: { 200: { description: 'Items' } },
        },
      },
    },
    components: { schemas: { Item: { type: 'object' } } },
  });

async function replaceShop({ call, org, world }: Bench, text: string, isNew = false) {
  const body = { slug: 'shop', source: { text } };
  if (isNew) await call(openapi.createSpec, org, { body });
  else await call(openapi.replaceSpec, { ...org, specSlug: 'shop' }, { body: { source: { text } } });
  await runDueJobs(world.core, { kind: 'openapi', signal: new AbortController().signal });
}

const source = (props: object, spec = 'shop') => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

const findPage = (pages: readonly PageBody[] = [], path: string): PageBody | undefined =>
  pages.find((page) => page.path === path) ??
  pages.map((page) => findPage(page.pages, path)).find((page) => page !== undefined);

/** Renders each block as its text in capital letters. */
const shout: ScriptRuntime = {
  run: async ({ message }) => {
    const { content } = message.event['props'] as { content: string };
    const element = {
      type: 'block',
      children: [{ type: 'text', children: [content.toUpperCase()] }],
    };
    const body = Buffer.from(JSON.stringify({ type: 'element', element }));
    return { answer: { status: 200, headers: [['content-type', 'application/json']], body }, logs: [] };
  },
  close: async () => {},
};

export const tries: readonly Try[] = [
  {
    of: 'page',
    fields: ['computed.type', 'computed.dependencies.spec.ref.kind'],
    run: async (bench) => {
      const { spaceId, publish: change } = await openDesk(bench.world);
      const look = async () =>
        (await bench.call(getContent, { spaceId }, { query: { computed: false } })).pages[0]?.computed;
      const first = source({ models: true });
      const made = await change(newPage('API', { type: 'computed', document: {}, computed: first }));
      expect(await look()).toEqual(first);
      const second = {
        type: 'integration:tickets:issues',
        props: { project: 'docs' },
        dependencies: { spec: { ref: { kind: 'space', space: spaceId } } },
      };
      const page = made.pages?.[0]?.id ?? '';
      await change({ operation: 'update_page', page, computed: second } as never);
      expect(await look()).toEqual(second);
    },
  },
  {
    of: 'page',
    fields: [
      'computed.props.models',
      'computed.props.downloadLink',
      'computed.props.grouping',
      'computed.dependencies.spec.ref.spec',
    ],
    run: async (bench) => {
      await replaceShop(bench, shop(false), true);
      const { spaceId, publish: change } = await openDesk(bench.world);
      const look = async () => {
        const answer = await bench.call(getContent, { spaceId }, { query: { computed: false } });
        const { pages } = await bench.call(getContent, { spaceId });
        const start = findPage(pages, 'start')?.markdown ?? '';
        return [answer.pages[0]?.computed, outline(pages).flat(9), start.includes('[Download')];
      };
      const first = source({ models: true, downloadLink: true, grouping: 'by-tag' });
      const made = await change(newPage('API', { type: 'computed', document: {}, computed: first }));
      const page = made.pages?.[0]?.id ?? '';
      expect(await look()).toEqual([first, ['start', 'stock', 'models'], true]);
      const second = source({ models: false, grouping: 'by-operation' });
      await change({ operation: 'update_page', page, computed: second } as never);
      expect(await look()).toEqual([second, ['start', 'stock', 'stock/list-items'], false]);
      const other = source({ models: false }, 'other');
      await change({ operation: 'update_page', page, computed: other } as never);
      expect(await look()).toEqual([other, [undefined], false]);
    },
  },
  {
    of: 'page',
    fields: [
      'computed.props.doc',
      'computed.props.page',
      'computed.props.method',
      'computed.props.deprecated',
      'computedSeed',
    ],
    run: async (bench) => {
      await replaceShop(bench, shop(false), true);
      const { spaceId, publish: change } = await openDesk(bench.world);
      const computed = source({ models: true, grouping: 'by-operation' });
      const made = await change(
        newPage('API', { type: 'computed', document: {}, computed }),
        newPage('Parent', { ref: 'parent' }),
        newPage('Again', { type: 'computed', document: {}, computed, into: 'parent' }),
      );
      const [seed, , other] = (made.pages ?? []).map(({ id }) => id);
      const look = async (path: string) =>
        findPage((await bench.call(listPages, { spaceId }, { query: { texts: false } })).pages, path);
      const operation = { doc: 'operation', page: '/items', method: 'get' };
      expect(await look('start')).toMatchObject({ computed: { props: { doc: 'info' } }, computedSeed: seed });
      expect(await look('parent/start')).toMatchObject({ computedSeed: other });
      expect(await look('models')).toMatchObject({ computed: { props: { doc: 'models' } } });
      expect(await look('stock')).toMatchObject({ computed: { props: { doc: 'tag', page: 'stock' } } });
      expect((await look('stock/list-items'))?.computed?.props).toEqual(operation);
      await replaceShop(bench, shop(true));
      expect((await look('stock/list-items'))?.computed?.props).toEqual({ ...operation, deprecated: true });
      await replaceShop(bench, shop(true).replace('"get"', '"put"').replaceAll('/items', '/things'));
      expect((await look('stock/list-items'))?.computed?.props).toEqual({
        doc: 'operation',
        page: '/things',
        method: 'put',
        deprecated: true,
      });
    },
  },
  {
    of: 'page',
    fields: [
      'blocks.integration',
      'blocks.block',
      'blocks.props',
      'blocks.code.syntax',
      'blocks.code.content',
      'blocks.document',
      'blocks.problem',
    ],
    outside: () => ({ scripts: () => shout }),
    run: async (bench) => {
      const { call, world } = bench;
      const { spaceId, publish: change } = await openDesk(world);
      const markdown = '{% @bot/shout content="from the tag" %}\n\n```loud\nfrom the code\n```\n';
      const { pages } = await change(newPage('Page', { document: { markdown } }));
      const at = { spaceId, pageId: pages?.[0]?.id ?? '' };
      const look = async (who: 'edit' | 'read' = 'edit') =>
        (await call(getPage, at, { query: { blocks: true } }, who)).blocks ?? [];
      const blocks = [{ id: 'shout', title: 'Shout', markdown: { codeblock: 'loud', body: 'content' } }];
      await publish(world, 'bot', { blocks });
      expect(await look()).toMatchObject([
        { integration: 'bot', block: 'shout', problem: expect.stringContaining('not installed') },
      ]);
      expect((await look('read'))[0]).not.toHaveProperty('problem');
      await install(world);
      const [tag, code, ...more] = await look();
      expect([tag, code]).toMatchObject([
        { integration: 'bot', block: 'shout', props: { content: 'from the tag' } },
        { integration: 'bot', block: 'shout', code: { syntax: 'loud', content: 'from the code' } },
      ]);
      expect(more).toEqual([]);
      expect(tag).not.toHaveProperty('problem');
      expect(JSON.stringify(tag?.document.nodes)).toContain('FROM THE TAG');
      expect(JSON.stringify(code?.document.nodes)).toContain('FROM THE CODE');
      await publish(world, 'bot', { blocks: [] });
      expect(await look()).toMatchObject([{ problem: expect.stringContaining('no block "shout"') }]);
    },
  },
];
