import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import * as collections from '../../src/resources/collections/contract.ts';
import {
  createComment,
  deleteComment,
  listComments,
  updateComment,
} from '../../src/resources/comments/space/contract.ts';
import { createReply } from '../../src/resources/comments/space-replies/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as conversations from '../../src/resources/conversations/contract.ts';
import { addSectionGroup } from '../../src/resources/site-section-groups/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import { permissionIsKept, roles, setAndSee, type Bench, type Try } from './bench.ts';

const newSpace = async ({ call, org }: Bench) =>
  (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
const newRequest = async ({ call }: Bench, spaceId: string) =>
  (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id;
const first = ({ items }: { items: object[] }) => items[0];
const page = { operation: 'insert_page', title: 'One', document: { markdown: 'Text' } };

export const tries: readonly Try[] = [
  {
    of: 'space',
    fields: ['title', 'emoji', 'editMode', 'language', 'defaultLevel', 'mergeRules.type'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const values = {
        title: 'New title',
        emoji: '🙂',
        language: 'de',
        defaultLevel: 'comment',
        mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: ['usr_edit'] }] },
        editMode: 'locked',
      };
      await setAndSee(bench, [spaces.updateSpace, { spaceId }], values, [
        spaces.listSpaces,
        bench.org,
        first,
      ]);
    },
  },
  {
    of: 'space',
    fields: ['parent', 'organization'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const { id } = await bench.call(collections.createCollection, bench.org, {
        body: { title: 'Product' },
      });
      expect(await bench.call(spaces.getSpace, { spaceId })).toMatchObject({ organization: 'org_acme' });
      await bench.call(spaces.moveSpace, { spaceId }, { body: { parent: id } });
      const { items } = await bench.call(collections.listSpacesInCollection, { collectionId: id });
      expect(items).toMatchObject([{ id: spaceId, parent: id }]);
    },
  },
  {
    of: 'space',
    fields: ['id', 'title', 'section', 'sectionTitle', 'sectionGroup'].map((name) => `formerSites.${name}`),
    run: async (bench) => {
      const { call, org } = bench;
      const spaceId = await newSpace(bench);
      const { id: siteId } = await call(createSite, org, { body: { title: 'Docs', spaces: [spaceId] } });
      await call(spaces.deleteSpace, { spaceId });
      const { formerSites } = await call(spaces.restoreSpace, { spaceId });
      expect(formerSites).toEqual([{ id: siteId, title: 'Docs' }]);
      await call(spaces.deleteSpace, { spaceId });
      expect(await call(spaces.restoreSpace, { spaceId })).not.toHaveProperty('formerSites');
      const site = { ...org, siteId };
      const { id: group } = await call(addSectionGroup, site, { body: { title: 'Products' } });
      const body = { spaceId, title: 'Guides', siteSectionGroupId: group };
      await call(addSection, site, { body });
      await call(spaces.deleteSpace, { spaceId });
      expect((await call(spaces.restoreSpace, { spaceId })).formerSites).toEqual([
        { id: siteId, title: 'Docs', section: null, sectionTitle: 'Guides', sectionGroup: group },
      ]);
    },
  },
  {
    of: 'space',
    fields: ['deletedAt'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      await bench.call(spaces.deleteSpace, { spaceId });
      expect((await bench.call(spaces.listSpaces, bench.org)).count).toBe(0);
      expect(await bench.call(spaces.restoreSpace, { spaceId })).not.toHaveProperty('deletedAt');
      expect((await bench.call(spaces.listSpaces, bench.org)).count).toBe(1);
    },
  },
  {
    of: 'space',
    fields: [
      'comments',
      'changeRequests',
      'changeRequestsOpen',
      'changeRequestsDraft',
      'revision',
      'updatedAt',
    ],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const look = () => bench.call(spaces.getSpace, { spaceId });
      const before = await look();
      const { id } = await bench.call(createComment, { spaceId }, { body: { body: { markdown: 'Why?' } } });
      const changeRequestId = await newRequest(bench, spaceId);
      expect(await look()).toMatchObject({
        comments: 1,
        changeRequests: 1,
        changeRequestsOpen: 0,
        changeRequestsDraft: 1,
      });
      await bench.call(
        changeRequests.updateChangeRequest,
        { spaceId, changeRequestId },
        { body: { status: 'open' } },
      );
      await bench.call(deleteComment, { spaceId, commentId: id });
      expect(await look()).toMatchObject({ comments: 0, changeRequestsOpen: 1, changeRequestsDraft: 0 });
      await bench.call(batchContent, { spaceId, changeRequestId }, { body: { changes: [page] } });
      await bench.call(changeRequests.mergeChangeRequest, { spaceId, changeRequestId }, { body: {} });
      const after = await look();
      expect(after.revision).not.toBe(before.revision);
      expect(after.updatedAt > before.updatedAt).toBe(true);
    },
  },
  {
    of: 'space',
    fields: ['permissions.edit', 'permissions.merge', 'permissions.comment', 'permissions.admin'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const readers = roles.slice(0, -1);
      const may = async (who: (typeof roles)[number]) =>
        (await bench.call(spaces.getSpace, { spaceId }, {}, who)).permissions;
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).edit,
        (who) => bench.reason(changeRequests.createChangeRequest, { spaceId }, { body: {} }, who),
      );
      const changeRequestId = await newRequest(bench, spaceId);
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).merge,
        (who) =>
          bench.reason(changeRequests.mergeChangeRequest, { spaceId, changeRequestId }, { body: {} }, who),
      );
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).comment,
        (who) => bench.reason(createComment, { spaceId }, { body: { body: { markdown: 'x' } } }, who),
      );
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).admin,
        (who) => bench.reason(spaces.updateSpace, { spaceId }, { body: {} }, who),
      );
      await bench.call(spaces.updateSpace, { spaceId }, { body: { editMode: 'locked' } });
      expect(await may('admin')).toMatchObject({ edit: false, merge: false, triggerGitSync: true });
    },
  },
  {
    of: 'collection',
    fields: ['title', 'description', 'defaultLevel'],
    run: async (bench) => {
      const { id } = await bench.call(collections.createCollection, bench.org, {
        body: { title: 'Product' },
      });
      const values = { title: 'New title', description: 'About', defaultLevel: 'comment' };
      await setAndSee(bench, [collections.updateCollection, { collectionId: id }], values, [
        collections.listCollections,
        bench.org,
        first,
      ]);
    },
  },
  {
    of: 'collection',
    fields: ['permissions.create', 'permissions.admin'],
    run: async (bench) => {
      const { id } = await bench.call(collections.createCollection, bench.org, {
        body: { title: 'Product' },
      });
      const at = { collectionId: id };
      const readers = roles.slice(0, -1);
      const may = async (who: (typeof roles)[number]) =>
        (await bench.call(collections.getCollection, at, {}, who)).permissions;
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).create,
        (who) => bench.reason(spaces.createSpace, bench.org, { body: { parent: id } }, who),
      );
      await permissionIsKept(
        readers,
        async (who) => (await may(who)).admin,
        (who) => bench.reason(collections.updateCollection, at, { body: {} }, who),
      );
    },
  },
  {
    of: 'comment',
    fields: [
      'body.markdown',
      'status',
      'editedAt',
      'resolvedAt',
      'resolvedBy',
      'reactions.emoji',
      'reactions.count',
      'replies',
      'repliers.count',
      'target.node.id',
      'target.space',
      'target.tableCell.record',
      'target.tableCell.definition',
    ],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const table = { ...page, document: { markdown: '| Plan |\n|---|\n| Pro |\n' } };
      const changes = { spaceId, changeRequestId: await newRequest(bench, spaceId) };
      const { pages } = await bench.call(batchContent, changes, { body: { changes: [table] } });
      await bench.call(changeRequests.mergeChangeRequest, changes);
      const tableCell = { record: 'record-1', definition: 'column-1' };
      const { id } = await bench.call(
        createComment,
        { spaceId },
        { body: { page: pages[0]?.id, node: 'b1', tableCell, body: { markdown: 'Why?' } } },
      );
      const look = async () => (await bench.call(listComments, { spaceId })).items[0];
      expect(await look()).toMatchObject({
        body: { markdown: 'Why?' },
        status: 'open',
        target: { node: { id: 'b1' }, tableCell, space: spaceId },
      });
      expect(await look()).not.toHaveProperty('editedAt');
      const at = { spaceId, commentId: id };
      await bench.call(createReply, at, { body: { body: { markdown: 'So' } } });
      await bench.call(updateComment, at, {
        body: { body: { markdown: 'How?' }, resolved: true, addedReactions: ['1f44d'] },
      });
      expect(await look()).toMatchObject({
        body: { markdown: 'How?' },
        status: 'resolved',
        editedAt: expect.any(String),
        resolvedAt: expect.any(String),
        resolvedBy: { id: 'usr_admin' },
        reactions: [{ emoji: '1f44d', count: 1 }],
        replies: 1,
        repliers: [{ count: 1 }],
      });
    },
  },
  {
    of: 'change-request',
    fields: ['subject', 'status'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const at = { spaceId, changeRequestId: await newRequest(bench, spaceId) };
      await setAndSee(
        bench,
        [changeRequests.updateChangeRequest, at],
        { subject: 'Better', status: 'open' },
        [changeRequests.getChangeRequest, at, (found) => found],
      );
      expect((await bench.call(changeRequests.listChangeRequests, { spaceId })).items).toMatchObject([
        { subject: 'Better' },
      ]);
    },
  },
  {
    of: 'change-request',
    fields: ['revision', 'revisionMerged', 'revisionMergedAncestor', 'outdated', 'updatedAt'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const [one, two] = [await newRequest(bench, spaceId), await newRequest(bench, spaceId)];
      const look = (changeRequestId: string) =>
        bench.call(changeRequests.getChangeRequest, { spaceId, changeRequestId });
      const before = await look(one);
      await bench.call(batchContent, { spaceId, changeRequestId: one }, { body: { changes: [page] } });
      await bench.call(changeRequests.mergeChangeRequest, { spaceId, changeRequestId: one }, { body: {} });
      const after = await look(one);
      expect([after.revision !== before.revision, after.updatedAt > before.updatedAt]).toEqual([true, true]);
      expect(after.revisionMerged).toBe((await bench.call(spaces.getSpace, { spaceId })).revision);
      expect(await look(two)).toMatchObject({ outdated: true });
      await bench.call(changeRequests.syncChangeRequest, { spaceId, changeRequestId: two }, { body: {} });
      expect(await look(two)).toMatchObject({
        outdated: false,
        revisionMergedAncestor: after.revisionMerged,
      });
    },
  },
  {
    of: 'conversation',
    fields: ['id', 'subject', 'source', 'createdAt', 'urls.source'],
    run: async ({ call, org }) => {
      const body = {
        id: 't-1',
        subject: 'Where?',
        source: 'chat',
        metadata: { url: 'https://support.test/1', createdAt: '2025-11-03T10:00:00.000Z' },
        parts: [],
      };
      await call(conversations.ingestConversations, org, { body });
      const { items } = await call(conversations.listConversations, org, { query: { source: 'chat' } });
      expect(items).toMatchObject([
        {
          id: 't-1',
          subject: 'Where?',
          source: 'chat',
          createdAt: body.metadata.createdAt,
          urls: { source: body.metadata.url },
        },
      ]);
    },
  },
];
