import { beforeEach, expect, test } from 'vitest';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
} from '../../../src/resources/site-share-links/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';
import { shareLinks } from '../../../src/resources/site-share-links/rows.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const create = async (name: string) =>
  (await world.call(createShareLink, { siteId: site }, { name })) as {
    id: string;
    urls: { published?: string };
  };

test('a share link is active, has a long random key in its URL, and is listed', async () => {
  const [one, two] = [await create('Partners'), await create('Ana')];
  expect(one).toMatchObject({ object: 'share-link', name: 'Partners', active: true });
  const keys = [one, two].map(
    ({ urls }) => /^http:\/\/localhost:8080\/sites\/acme\/docs\/([\w-]{32})\/$/.exec(urls.published!)?.[1],
  );
  expect(keys.every((key) => key !== undefined)).toBe(true);
  expect(keys[0]).not.toBe(keys[1]);
  expect(await world.call(listShareLinks, { siteId: site })).toEqual({ count: 2, items: [one, two] });
  expect(await world.call(listShareLinks, { siteId: site }, undefined, { search: 'PART' })).toEqual({
    count: 1,
    items: [one],
  });
});

test('a share link can be renamed, turned off and on, and keeps its URL', async () => {
  const link = await create('Partners');
  const at = { siteId: site, shareLinkId: link.id };
  expect(await world.call(updateShareLink, at, { active: false })).toEqual({ ...link, active: false });
  expect(await world.call(updateShareLink, at, { name: 'Friends' })).toEqual({
    ...link,
    active: false,
    name: 'Friends',
  });
  expect(await world.call(updateShareLink, at, { active: true })).toEqual({ ...link, name: 'Friends' });
});

test('a name can be empty, and has at most 50 characters', async () => {
  const { id } = await create('');
  const at = { siteId: site, shareLinkId: id };
  expect(await world.call(updateShareLink, at, { name: 'x'.repeat(50) })).toMatchObject({ id });
  expect(await world.call(updateShareLink, at, { name: '' })).toMatchObject({ name: '' });
  expect(await world.refusal(updateShareLink, at, { name: 'x'.repeat(51) })).toMatchObject({
    reason: 'invalid-input',
  });
});

test('a deleted link is not found', async () => {
  const at = { siteId: site, shareLinkId: (await create('Partners')).id };
  expect(await world.call(deleteShareLink, at)).toBeUndefined();
  for (const operation of [deleteShareLink, updateShareLink])
    expect(await world.refusal(operation, at, operation === updateShareLink ? {} : undefined)).toMatchObject({
      reason: 'not-found',
    });
  expect(await world.core.store.read((view) => view.count(shareLinks, 'bySite', [site]))).toBe(0);
});

test('invalid bodies are refused', async () => {
  expect(await create('x'.repeat(50))).toBeDefined();
  for (const body of [{}, { name: 'x'.repeat(51) }, { name: 'x', active: false }])
    expect(await world.refusal(createShareLink, { siteId: site }, body)).toMatchObject({
      reason: 'invalid-input',
    });
});

test('links can be listed with the create role, changed by administrators, and not found elsewhere', async () => {
  const at = { siteId: site, shareLinkId: (await create('Partners')).id };
  expect(await world.call(listShareLinks, { siteId: site }, undefined, undefined, 'create')).toMatchObject({
    count: 1,
  });
  for (const who of ['review', 'read', 'guest'] as const)
    expect(await world.refusal(listShareLinks, { siteId: site }, undefined, undefined, who)).toMatchObject({
      reason: who === 'guest' ? 'not-found' : 'forbidden',
    });
  const changes = [
    [createShareLink, { siteId: site }, { name: 'x' }],
    [updateShareLink, at, { active: false }],
    [deleteShareLink, at, undefined],
  ] as const;
  const other = await world.site('Other');
  for (const [operation, params, body] of changes) {
    expect(await world.refusal(operation, params, body, undefined, 'create')).toMatchObject({
      reason: 'forbidden',
    });
    expect(await world.refusal(operation, params, body, undefined, 'outsider')).toMatchObject({
      reason: 'not-found',
    });
    if (operation !== createShareLink)
      expect(await world.refusal(operation, { ...params, siteId: other }, body)).toMatchObject({
        reason: 'not-found',
      });
  }
});
