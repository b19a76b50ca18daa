import { beforeEach, describe, expect, it } from 'vitest';
import { changeRequests } from '../../../src/core/rows/change-requests.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { memberId, members } from '../../../src/core/rows/organizations.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { comments } from '../../../src/resources/comments/rows.ts';
import {
  createCollection,
  deleteCollection,
  listSpacesInCollection,
} from '../../../src/resources/collections/contract.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
} from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { createComment } from '../../../src/resources/comments/space/contract.ts';
import * as contract from '../../../src/resources/spaces/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { callsIn, everybody } from '../calls.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
const { call, refusal, reason } = callsIn(() => world);
const day = 24 * 60 * 60 * 1000;

const create = (body: object = {}, who: Who = 'admin') =>
  call(
    contract.createSpace,
    { organizationId: who === 'outsider' ? world.otherOrg : world.org },
    { body },
    who,
  );
const titles = async (query: object = {}) =>
  (await call(contract.listSpaces, { organizationId: world.org }, { query })).items.map(({ title }) => title);
describe('spaces', () => {
  it('are created empty with default fields, or with the given ones', async () => {
    const plain = await create();
    expect(plain).toMatchObject({
      title: 'Untitled',
      emoji: '',
      visibility: 'private',
      editMode: 'live',
      mergeRules: { type: 'inherit' },
      defaultLevel: null,
      comments: 0,
      changeRequests: 0,
    });
    expect(plain).not.toHaveProperty('deletedAt');
    const { id: parent } = await call(
      createCollection,
      { organizationId: world.org },
      { body: { title: 'Product' } },
    );
    const full = await create({
      title: 'Guide',
      emoji: '📘',
      parent,
      language: 'fr',
      editMode: 'locked',
      empty: true,
    });
    expect(full).toMatchObject({ title: 'Guide', emoji: '📘', parent, language: 'fr', editMode: 'locked' });
    expect(full.revision).not.toBe(plain.revision);
    expect(await call(contract.getSpace, { spaceId: full.id }, {}, 'read')).toMatchObject({
      id: full.id,
      permissions: { view: true, edit: false, admin: false },
    });
    expect((await call(listSpacesInCollection, { collectionId: parent })).items.map(({ id }) => id)).toEqual([
      full.id,
    ]);
  });

  it('are refused with the path of each invalid field, and with a missing or foreign parent', async () => {
    expect(
      await refusal(
        contract.createSpace,
        { organizationId: world.org },
        { body: { title: 'x'.repeat(51), template: { id: 't' }, empty: false } },
      ),
    ).toMatchObject({
      reason: 'invalid-input',
      violations: [{ path: '/body/template' }, { path: '/body/title' }, { path: '/body/empty' }],
    });
    expect(
      await reason(contract.createSpace, { organizationId: world.org }, { body: { parent: 'col_absent' } }),
    ).toBe('not-found');
    const foreign = await call(
      createCollection,
      { organizationId: world.otherOrg },
      { body: {} },
      'outsider',
    );
    expect(
      await reason(contract.createSpace, { organizationId: world.org }, { body: { parent: foreign.id } }),
    ).toBe('not-found');
    expect(
      await reason(contract.createSpace, { organizationId: world.org }, { body: { language: 'xx' } }),
    ).toBe('invalid-input');
  });

  it('are listed for the organization, filtered by title, in pages', async () => {
    for (const title of ['Guide', 'API guide', 'Blog']) await create({ title });
    await create({ title: 'Theirs' }, 'outsider');
    expect(await titles()).toEqual(['Guide', 'API guide', 'Blog']);
    expect(await titles({ title: 'GUIDE' })).toEqual(['Guide', 'API guide']);
    const first = await call(contract.listSpaces, { organizationId: world.org }, { query: { limit: 2 } });
    expect(first).toMatchObject({ count: 3, items: [{ title: 'Guide' }, { title: 'API guide' }] });
    expect(await titles({ limit: 2, page: first.next!.page })).toEqual(['Blog']);
  });

  it.each(['📘', '❤', '❤️', '👩‍💻', '🇫🇷', '1️⃣', '👍🏽', '1f4d8', '1f1eb-1f1f7', ''])(
    'accept an emoji or its code points: %j',
    async (emoji) => {
      expect((await create({ emoji })).emoji).toBe(emoji);
    },
  );

  it.each(['ab', 'x', 'book', '📘📘', '📘 ', '1', '#', '39', '110000', ':book:'])(
    'refuse text that is not an emoji: %j',
    async (emoji) => {
      expect(await reason(contract.createSpace, { organizationId: world.org }, { body: { emoji } })).toBe(
        'invalid-input',
      );
      const { id: spaceId } = await create({});
      expect(await reason(contract.updateSpace, { spaceId }, { body: { emoji } })).toBe('invalid-input');
    },
  );

  it('can be changed, and have either an emoji or an icon', async () => {
    const { id: spaceId } = await create({ emoji: '📘' });
    const update = (body: object) => call(contract.updateSpace, { spaceId }, { body });
    const mergeRules = {
      type: 'rules',
      rules: [{ rule: 'require_specific_reviewers', users: ['usr_review'] }],
    };
    expect(
      await update({ title: 'Guide', editMode: 'locked', defaultLevel: 'edit', language: 'de', mergeRules }),
    ).toMatchObject({
      title: 'Guide',
      editMode: 'locked',
      defaultLevel: 'edit',
      language: 'de',
      mergeRules,
      emoji: '📘',
    });
    const icon = 'https://example.com/icon.png';
    expect(await update({ icon })).toMatchObject({ emoji: '', icon, urls: { icon } });
    const again = await update({ emoji: '📗' });
    expect(again).toMatchObject({ emoji: '📗' });
    expect(again).not.toHaveProperty('icon');
    expect((await update({ emoji: null, icon: null })).emoji).toBe('');
    expect(await reason(contract.updateSpace, { spaceId }, { body: { emoji: '📗', icon } })).toBe(
      'invalid-input',
    );
    const before = await call(contract.getSpace, { spaceId });
    expect(await update({})).toEqual(before);
  });

  it('refuse merge rules that name users who are not members', async () => {
    const { id: spaceId } = await create();
    for (const user of ['usr_outsider', 'usr_absent']) {
      const body = { mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [user] }] } };
      expect(await refusal(contract.updateSpace, { spaceId }, { body })).toMatchObject({
        reason: 'not-found',
        message: `There is no member "${user}" that you can see.`,
      });
    }
  });

  it('refuse merge rules that need users but have none, or have users but need none', async () => {
    const { id: spaceId } = await create();
    for (const rule of [
      { rule: 'require_specific_reviewers' },
      { rule: 'require_one_of_specific_reviewers', users: [] },
      { rule: 'allow_bypass' },
      { rule: 'require_author_to_merge', users: ['usr_review'] },
    ]) {
      const body = { mergeRules: { type: 'rules', rules: [rule] } };
      expect(await refusal(contract.updateSpace, { spaceId }, { body })).toMatchObject({
        reason: 'invalid-input',
        violations: [{ path: '/body/mergeRules/rules/0/users' }],
      });
    }
  });

  it('can only be restored after they are deleted', async () => {
    const { id: spaceId } = await create({ title: 'Guide' });
    await call(contract.deleteSpace, { spaceId });
    expect(await titles()).toEqual([]);
    expect(await reason(contract.getSpace, { spaceId })).toBe('not-found');
    expect(await reason(contract.updateSpace, { spaceId }, { body: {} })).toBe('not-found');
    expect(await reason(contract.deleteSpace, { spaceId })).toBe('not-found');
    expect(await reason(contract.restoreSpace, { spaceId }, {}, 'create')).toBe('forbidden');
    expect(await reason(contract.restoreSpace, { spaceId }, {}, 'outsider')).toBe('not-found');
    const back = await call(contract.restoreSpace, { spaceId });
    expect(back).toMatchObject({ id: spaceId, title: 'Guide' });
    expect(back).not.toHaveProperty('deletedAt');
    expect(await reason(contract.restoreSpace, { spaceId })).toBe('conflict');
  });

  it.each([
    [-1, 'done'],
    [0, 'not-found'],
    [1, 'not-found'],
  ])(
    'can be restored until 7 days after deletion: %i ms from then the result is %s',
    async (difference, outcome) => {
      const { id: spaceId } = await create();
      await call(contract.deleteSpace, { spaceId });
      const { deletedAt } = (await world.core.store.read((view) => view.get(spaces, spaceId)))!;
      const passed = world.core.clock() - Date.parse(deletedAt!);
      // The call itself advances the clock by a second.
      world.pass(7 * day + difference - passed - 1000);
      expect(await reason(contract.restoreSpace, { spaceId })).toBe(outcome);
    },
  );

  it('are restored behind their siblings, even if their position was reused', async () => {
    const [one, two, three] = [
      await create({ title: '1' }),
      await create({ title: '2' }),
      await create({ title: '3' }),
    ];
    await call(contract.deleteSpace, { spaceId: two.id });
    await call(
      contract.moveSpace,
      { spaceId: one.id },
      { body: { position: { before: { type: 'space', space: three.id } } } },
    );
    const restored = await call(contract.restoreSpace, { spaceId: two.id });
    await call(
      contract.moveSpace,
      { spaceId: three.id },
      { body: { position: { before: { type: 'space', space: restored.id } } } },
    );
    const rows = await world.core.store.read((view) =>
      view.find(spaces, { index: 'byParent', equals: [world.org, null, 'live'], limit: 9 }),
    );
    expect(rows.map(({ title }) => title)).toEqual(['1', '3', '2']);
    expect(new Set(rows.map(({ position }) => position)).size).toBe(3);
  });

  it('are moved up when their collection is deleted, even if they are deleted', async () => {
    const { id: collectionId } = await call(createCollection, { organizationId: world.org }, { body: {} });
    const { id: spaceId } = await create({ parent: collectionId });
    await call(contract.deleteSpace, { spaceId });
    await call(deleteCollection, { collectionId });
    expect(await call(contract.restoreSpace, { spaceId })).not.toHaveProperty('parent');
  });

  it('are purged with all their rows by a job 7 days after deletion', async () => {
    const { id: spaceId } = await create();
    const kept = await create();
    for (let number = 0; number < 130; number++)
      await call(createComment, { spaceId }, { body: { body: { markdown: 'Hi' } } });
    await call(createComment, { spaceId: kept.id }, { body: { body: { markdown: 'Stays' } } });
    await call(contract.deleteSpace, { spaceId });
    const work = () => world.as('owner').work?.({ signal: new AbortController().signal });
    const row = () => world.core.store.read((view) => view.get(spaces, spaceId));
    world.pass(6 * day);
    await work();
    expect(await row()).toBeDefined();
    world.pass(day);
    await work();
    expect(await row()).toBeUndefined();
    const left = await world.core.store.read(async (view) => [
      ...(await view.find(revisions, { index: 'bySpace', equals: [spaceId], limit: 9 })),
      ...(await view.find(comments, { index: 'bySpace', equals: [spaceId], limit: 9 })),
    ]);
    expect(left).toEqual([]);
    expect(await call(contract.getSpace, { spaceId: kept.id })).toMatchObject({ comments: 1 });
    expect(await world.core.store.read((view) => view.get(jobs, 'removal.store'))).toBeUndefined();
  });

  it('are duplicated with content and rules, but without comments and change requests', async () => {
    const { id: parent } = await call(createCollection, { organizationId: world.org }, { body: {} });
    const original = await create({ title: 'Guide', emoji: '📘', parent, language: 'fr' });
    await call(
      contract.updateSpace,
      { spaceId: original.id },
      { body: { mergeRules: { type: 'none' }, defaultLevel: 'edit' } },
    );
    await call(createComment, { spaceId: original.id }, { body: { body: { markdown: 'Hi' } } });
    const copy = await call(contract.duplicateSpace, { spaceId: original.id });
    expect(copy).toMatchObject({
      title: 'Guide',
      emoji: '📘',
      parent,
      language: 'fr',
      mergeRules: { type: 'none' },
      defaultLevel: 'edit',
      comments: 0,
      changeRequests: 0,
    });
    expect(copy.id).not.toBe(original.id);
    const named = await call(contract.duplicateSpace, { spaceId: original.id }, { body: { title: 'Other' } });
    expect(named).toMatchObject({ title: 'Other', emoji: '📘' });
    const [one, other] = await world.core.store.read(async (view) => [
      await view.get(revisions, copy.revision),
      await view.get(revisions, (await view.get(spaces, original.id))!.revision),
    ]);
    expect(one).toMatchObject({ space: copy.id, root: other!.root });
    await call(contract.deleteSpace, { spaceId: original.id });
    expect(await call(contract.getSpace, { spaceId: copy.id })).toMatchObject({ id: copy.id });
  });

  it('are listed below their parent in the order that moves gave them', async () => {
    const { id: first } = await create({ title: 'first' });
    const { id: last } = await create({ title: 'last' });
    const parent = (await call(createCollection, { organizationId: world.org }, { body: {} })).id;
    await create({ title: 'inside', parent });
    await call(
      contract.moveSpace,
      { spaceId: last },
      { body: { position: { before: { type: 'space', space: first } } } },
    );
    expect(await titles()).toEqual(['last', 'first', 'inside']);
  });

  it('can be moved among spaces and into collections', async () => {
    const { id: parent } = await call(createCollection, { organizationId: world.org }, { body: {} });
    const inside = await create({ title: 'inside', parent });
    const { id: spaceId } = await create({ title: 'moved' });
    const move = (body: object) => call(contract.moveSpace, { spaceId }, { body });
    expect(await move({ parent, position: { before: { type: 'space', space: inside.id } } })).toMatchObject({
      parent,
    });
    expect(
      (await call(listSpacesInCollection, { collectionId: parent })).items.map(({ title }) => title),
    ).toEqual(['moved', 'inside']);
    expect(await move({ parent: null })).not.toHaveProperty('parent');
    expect(await reason(contract.moveSpace, { spaceId }, { body: { parent: 'col_absent' } })).toBe(
      'not-found',
    );
    expect(
      await reason(
        contract.moveSpace,
        { spaceId },
        { body: { position: { after: { type: 'space', space: inside.id } } } },
      ),
    ).toBe('invalid-input');
  });

  it('are transferred with their change requests to an organization where the caller has the create role', async () => {
    const { id: spaceId, revision } = await create();
    const createdAt = '2026-01-01T00:00:00.000Z';
    await world.core.store.write((tx) =>
      tx.insert(changeRequests, {
        id: 'cr_1',
        organization: world.org,
        space: spaceId,
        number: 1,
        status: 'open',
        subject: 'New',
        createdBy: 'usr_admin',
        createdAt,
        updatedAt: createdAt,
        revision,
        revisionInitial: revision,
        comments: 0,
        conversationsIssuesCluster: 'clu_1',
      }),
    );
    const transfer = (who: Who, organization: string) =>
      reason(contract.transferSpace, { spaceId }, { body: { organization } }, who);
    expect(await transfer('admin', world.otherOrg)).toBe('not-found');
    expect(await transfer('admin', world.org)).toBe('conflict');
    const place = {
      organization: world.otherOrg,
      user: 'usr_admin',
      disabled: false,
      joinedAt: createdAt,
      lastSeenAt: null,
      sso: false,
      displayName: 'Admin',
      email: 'admin@acme.test',
      teams: 0,
    };
    await world.core.store.write((tx) =>
      tx.insert(members, { id: memberId(world.otherOrg, 'usr_admin'), role: 'edit', ...place } as never),
    );
    expect(await transfer('admin', world.otherOrg)).toBe('forbidden');
    await world.core.store.write((tx) =>
      tx.update(members, memberId(world.otherOrg, 'usr_admin'), { role: 'create' }),
    );
    expect(
      await call(contract.transferSpace, { spaceId }, { body: { organization: world.otherOrg } }),
    ).toMatchObject({
      organization: world.otherOrg,
      permissions: { admin: false },
    });
    expect(await call(contract.getSpace, { spaceId }, {}, 'outsider')).toMatchObject({ id: spaceId });
    expect(await reason(contract.getSpace, { spaceId }, {}, 'edit')).toBe('not-found');
    expect(await world.core.store.read((view) => view.get(changeRequests, 'cr_1'))).toMatchObject({
      organization: world.otherOrg,
    });
    const request = await world
      .as('outsider')
      .call(getChangeRequest, { params: { spaceId, changeRequestId: 'cr_1' } });
    expect(request).not.toHaveProperty('conversationsIssuesCluster');
  });

  it('check the role of the caller, and are not found by outsiders', async () => {
    const { id: spaceId } = await create();
    const made = { organizationId: world.org };
    const table = [];
    for (const who of everybody) {
      table.push([
        who,
        await reason(contract.getSpace, { spaceId }, {}, who),
        await reason(contract.createSpace, made, { body: {} }, who),
        await reason(contract.duplicateSpace, { spaceId }, {}, who),
        await reason(contract.updateSpace, { spaceId }, { body: {} }, who),
        await reason(contract.moveSpace, { spaceId }, { body: {} }, who),
      ]);
    }
    expect(table).toEqual([
      ['admin', 'done', 'done', 'done', 'done', 'done'],
      ['create', 'done', 'done', 'done', 'forbidden', 'forbidden'],
      ...['review', 'edit', 'comment', 'read'].map((who) => [
        who,
        'done',
        'forbidden',
        'forbidden',
        'forbidden',
        'forbidden',
      ]),
      ['guest', 'not-found', 'forbidden', 'not-found', 'not-found', 'not-found'],
      ['outsider', 'not-found', 'not-found', 'not-found', 'not-found', 'not-found'],
      [
        'nobody',
        'unauthenticated',
        'unauthenticated',
        'unauthenticated',
        'unauthenticated',
        'unauthenticated',
      ],
    ]);
  });
});

describe('the permissions of a locked space', () => {
  it('allow neither edits nor merges, and both are refused', async () => {
    const { id } = await create({ title: 'Guide' });
    const space = { spaceId: id };
    const permissions = async () => (await call(contract.getSpace, space)).permissions;
    expect(await permissions()).toMatchObject({ edit: true, merge: true, triggerGitSync: true });
    const { id: changeRequestId } = await call(createChangeRequest, space, { body: {} });
    await call(contract.updateSpace, space, { body: { editMode: 'locked' } });
    expect(await permissions()).toMatchObject({ edit: false, merge: false, review: true, comment: true });
    const at = { ...space, changeRequestId };
    expect(await reason(mergeChangeRequest, at, { body: {} })).toBe('conflict');
    const changes = [{ operation: 'insert_page', title: 'One', document: { markdown: 'x' } }];
    expect(await reason(batchContent, at, { body: { changes } })).toBe('conflict');
    await call(contract.updateSpace, space, { body: { editMode: 'live' } });
    expect(await permissions()).toMatchObject({ edit: true, merge: true });
  });
});
