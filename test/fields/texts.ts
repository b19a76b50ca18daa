import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as content from '../../src/resources/content/space/contract.ts';
import { getPage } from '../../src/resources/content/space-pages/contract.ts';
import * as texts from '../../src/resources/content/space-reusable-contents/contract.ts';
import { createSpec, replaceSpec } from '../../src/resources/openapi/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import type { Bench, Try } from './bench.ts';

/** Creates a space, and a function that publishes changes to it. */
async function furnish({ call, org }: Bench) {
  const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
  const publish = async (...changes: object[]) => {
    const { id } = await call(changeRequests.createChangeRequest, { spaceId }, { body: {} });
    const at = { spaceId, changeRequestId: id };
    const { pages } = await call(batchContent, at, { body: { changes } });
    await call(changeRequests.mergeChangeRequest, at, { body: {} });
    return pages[0]?.id ?? '';
  };
  return { at: { spaceId }, publish };
}
const include = (text: string, title?: string) => ({
  operation: 'put_text',
  role: 'include',
  git: { path: 'includes/support.md' },
  text,
  ...(title === undefined ? {} : { title }),
});
const specification = (title: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { tags: [title], responses: { 200: { description: 'Pets' } } } } },
  });

export const tries: readonly Try[] = [
  {
    of: 'reusable-content',
    fields: ['title', 'git.oid', 'git.path', 'document'],
    run: async (bench) => {
      const { call } = bench;
      const { at, publish } = await furnish(bench);
      await publish(include('Old text', 'Help'));
      const look = async () => (await call(texts.listReusableContents, at)).items[0];
      const read = async (documentId = '') =>
        JSON.stringify(await call(content.getDocument, { ...at, documentId }));
      const before = await look();
      expect(before).toMatchObject({ title: 'Help', git: { path: 'includes/support.md' } });
      await publish(include('New text', 'Support'));
      const after = await look();
      expect(after).toMatchObject({ id: before?.id, title: 'Support' });
      expect(after?.git?.oid).not.toBe(before?.git?.oid);
      expect(await read(before?.document)).toContain('Old text');
      expect(await read(after?.document)).toContain('New text');
      await publish(include(''));
      expect(await look()).not.toHaveProperty('document');
    },
  },
  {
    of: 'page',
    fields: ['documentId'],
    run: async (bench) => {
      const { call } = bench;
      const { at, publish } = await furnish(bench);
      const pageId = await publish({
        operation: 'insert_page',
        title: 'One',
        document: { markdown: 'Old text' },
      });
      const look = async () => (await call(getPage, { ...at, pageId })).documentId ?? '';
      const before = await look();
      await publish({ operation: 'update_page', page: pageId, document: { markdown: 'New text' } });
      const after = await look();
      const read = async (documentId: string) =>
        JSON.stringify(await call(content.getDocument, { ...at, documentId }));
      expect([await read(before), await read(after)]).toEqual([
        expect.stringContaining('Old text'),
        expect.stringContaining('New text'),
      ]);
    },
  },
  {
    of: 'backlink',
    fields: ['spec'],
    run: async (bench) => {
      const { at, publish } = await furnish(bench);
      const look = async () =>
        (await bench.call(spaces.listSpaceLinks, at)).items.map(({ targetReference }) => targetReference);
      const write = (markdown: string) => ({
        operation: 'insert_page',
        title: 'One',
        document: { markdown },
      });
      const page = await publish(write('[API](openapi:pets)'));
      expect(await look()).toEqual([{ kind: 'openapi', organization: 'org_acme', spec: 'pets' }]);
      await publish({ operation: 'update_page', page, document: { markdown: '[API](openapi:cats)' } });
      expect(await look()).toMatchObject([{ spec: 'cats' }]);
    },
  },
  {
    of: 'spaces.content.compute',
    fields: ['pages'],
    run: async (bench) => {
      const { call, org } = bench;
      const { at } = await furnish(bench);
      const jobs = () => runDueJobs(bench.world.core, { signal: new AbortController().signal });
      await call(createSpec, org, { body: { slug: 'pets', source: { text: specification('Cats') } } });
      await jobs();
      const dependencies = { spec: { ref: { kind: 'openapi', spec: 'pets' } } };
      const source = { type: 'builtin:openapi', props: { models: false }, dependencies };
      const look = async () =>
        (await call(content.computeRevision, at, { body: { source, seed: 'x' } })).pages.map(
          ({ title }) => title,
        );
      expect(await look()).toEqual(['Cats']);
      await call(
        replaceSpec,
        { ...org, specSlug: 'pets' },
        { body: { source: { text: specification('Dogs') } } },
      );
      await jobs();
      expect(await look()).toEqual(['Dogs']);
    },
  },
];
