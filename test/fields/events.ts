import { expect } from 'vitest';
import { getAuditEvent, listAuditActions, listAuditEvents } from '../../src/resources/audit/contract.ts';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent, updateContent } from '../../src/resources/content/change-request/contract.ts';
import { listFiles } from '../../src/resources/content/change-request-files/contract.ts';
import { getPage } from '../../src/resources/content/change-request-pages/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

const newSpace = async ({ call, org }: Bench) =>
  (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
const newRequest = async (bench: Bench) => {
  const spaceId = await newSpace(bench);
  const { id } = await bench.call(changeRequests.createChangeRequest, { spaceId }, { body: {} });
  return { spaceId, changeRequestId: id };
};
const eventsOf = async ({ call, org }: Bench, query: object) =>
  (await call(listAuditEvents, org, { query: { details: true, ...query } })).items;
const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: 'Text' } });

export const tries: readonly Try[] = [
  {
    of: 'audit-event',
    fields: [
      'payload.change',
      'payload.before',
      'payload.after',
      'payload.chain.number',
      'payload.chain.previous',
      'payload.chain.hash',
    ],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      await bench.call(spaces.updateSpace, { spaceId }, { body: { title: 'New title' } });
      await bench.call(spaces.deleteSpace, { spaceId });
      const [deleted, updated, created] = await eventsOf(bench, { target: spaceId });
      expect(created).toMatchObject({
        action: 'spaces.create',
        payload: { change: 'created', after: { title: 'Guide' } },
      });
      expect(created?.payload).not.toHaveProperty('before');
      expect(updated).toMatchObject({
        action: 'spaces.update',
        actor: { type: 'user', id: 'usr_admin', label: 'admin@acme.test' },
        target: { type: 'space', id: spaceId, label: 'New title' },
        payload: { change: 'updated', before: { title: 'Guide' }, after: { title: 'New title' } },
      });
      expect(deleted?.action).toBe('spaces.delete');
      const chain = [created, updated, deleted].map((event) => event?.payload?.chain);
      expect(chain.map((link) => link?.number)).toEqual([1, 2, 3]);
      expect(chain.map((link) => link?.previous)).toEqual([null, chain[0]?.hash, chain[1]?.hash]);
      const at = { ...bench.org, auditEventId: updated?.id ?? '' };
      expect(await bench.call(getAuditEvent, at)).toEqual(updated);
    },
  },
  {
    of: 'audit-event',
    fields: [
      'payload.related.type',
      'payload.related.id',
      'payload.related.label',
      'payload.related.change',
      'payload.related.before',
      'payload.related.after',
    ],
    run: async (bench) => {
      const at = await newRequest(bench);
      await bench.call(batchContent, at, { body: { changes: [insert('One')] } });
      const before = (await bench.call(spaces.getSpace, at)).revision;
      await bench.call(changeRequests.mergeChangeRequest, at, { body: {} });
      const after = (await bench.call(spaces.getSpace, at)).revision;
      const [merge] = await eventsOf(bench, { action: 'change-requests.merge' });
      expect(merge?.target.id).toBe(at.changeRequestId);
      expect(merge?.payload?.related).toContainEqual(
        expect.objectContaining({
          type: 'space',
          id: at.spaceId,
          label: 'Guide',
          change: 'updated',
          before: expect.objectContaining({ revision: before }),
          after: expect.objectContaining({ revision: after }),
        }),
      );
    },
  },
  {
    of: 'audit-event',
    fields: ['payload.requests', 'payload.until'],
    run: async (bench) => {
      const at = await newRequest(bench);
      const look = () => eventsOf(bench, { action: 'change-requests.content.batch' });
      await bench.call(batchContent, at, { body: { changes: [insert('One')] } });
      const [first] = await look();
      expect(first?.payload).not.toHaveProperty('requests');
      await bench.call(batchContent, at, { body: { changes: [insert('Two')] } });
      const events = await look();
      expect(events).toMatchObject([{ id: first?.id, payload: { requests: 2 } }]);
      expect((events[0]?.payload?.until ?? '') > (first?.occurredAt ?? '')).toBe(true);
    },
  },
  {
    of: 'audit.actions',
    fields: ['items'],
    run: async (bench) => {
      await newRequest(bench);
      const known = (await bench.call(listAuditActions, bench.org)).items.map(({ id }) => id);
      expect(known).toEqual(expect.arrayContaining((await eventsOf(bench, {})).map(({ action }) => action)));
    },
  },
  {
    of: 'inserted',
    fields: ['type', 'id', 'title', 'path', 'ref', 'name'],
    run: async (bench) => {
      const at = await newRequest(bench);
      const change = (...changes: object[]) =>
        bench.call(updateContent, at, { query: { compat: false }, body: { changes } });
      const file = { name: 'a.txt', base64: 'aGk=', contentType: 'text/plain', ref: 'f' };
      const made = await change({ ...insert('One'), ref: 'p' }, { operation: 'insert_files', files: [file] });
      expect(made.pages).toMatchObject([{ type: 'created_page', title: 'One', path: 'one', ref: 'p' }]);
      expect(made.insertedFiles).toMatchObject([{ name: 'a.txt', ref: 'f' }]);
      const id = made.pages?.[0]?.id ?? '';
      const { items } = await bench.call(listFiles, at);
      expect(items).toMatchObject([{ id: made.insertedFiles?.[0]?.id, name: 'a.txt' }]);
      expect(await bench.call(getPage, { ...at, pageId: id })).toMatchObject({ title: 'One', path: 'one' });
      const updated = await change({ operation: 'update_page', page: id, title: 'Two', slug: 'two' });
      expect(updated.pages).toMatchObject([{ type: 'updated_page', id, title: 'Two', path: 'two' }]);
      expect(updated.insertedFiles).toEqual([]);
      expect(await bench.call(getPage, { ...at, pageId: id })).toMatchObject({ title: 'Two', path: 'two' });
      const deleted = await change({ operation: 'delete_page', page: id });
      expect(deleted.pages).toMatchObject([{ type: 'deleted_page', id }]);
      expect(await bench.reason(getPage, { ...at, pageId: id })).toBe('not-found');
    },
  },
  {
    of: 'change-request',
    fields: ['pages', 'insertedFiles'],
    run: async (bench) => {
      const at = await newRequest(bench);
      const body = { changes: [insert('One')] };
      const plain = await bench.call(updateContent, at, { body });
      expect(plain).not.toHaveProperty('pages');
      const whole = await bench.call(updateContent, at, { query: { compat: false }, body });
      expect([whole.pages?.length, whole.insertedFiles]).toEqual([1, []]);
    },
  },
];
