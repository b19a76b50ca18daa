import { expect } from 'vitest';
import { languages } from '../../src/contract/shapes.ts';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as draftPages from '../../src/resources/content/change-request-pages/contract.ts';
import * as spacePages from '../../src/resources/content/space-pages/contract.ts';
import * as glossary from '../../src/resources/glossary/contract.ts';
import * as invites from '../../src/resources/invites/contract.ts';
import * as members from '../../src/resources/members/contract.ts';
import * as auth from '../../src/resources/site-publishing-auth/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import { getUser, updateUser } from '../../src/resources/users/contract.ts';
import type { Try } from './bench.ts';

export const tries: readonly Try[] = [
  {
    of: 'glossary-entry',
    fields: [...languages.map((language) => `translations.${language}`), 'updatedAt'],
    run: async ({ call, org }) => {
      const all = Object.fromEntries(languages.map((language) => [language, `term in ${language}`]));
      const insert = { type: 'insert', translations: { en: 'space' } };
      await call(glossary.updateGlossary, org, { body: { operations: [insert] } });
      const [entry] = (await call(glossary.listGlossary, org)).items;
      expect(entry).toMatchObject({ translations: { en: 'space' }, updatedAt: entry!.createdAt });
      const update = { type: 'update', id: entry!.id, translations: all };
      await call(glossary.updateGlossary, org, { body: { operations: [update] } });
      const changed = await call(glossary.getGlossaryEntry, { ...org, glossaryEntryId: entry!.id });
      expect(changed.translations).toEqual(all);
      expect(changed.updatedAt > entry!.updatedAt).toBe(true);
    },
  },
  {
    of: 'user',
    fields: ['displayName', 'photoURL'],
    run: async ({ call, org }) => {
      const photoURL = 'https://example.com/ana.png';
      await call(updateUser, { userId: 'usr_admin' }, { body: { displayName: 'Ana Lima', photoURL } });
      const { user } = await call(members.getMember, { ...org, userId: 'usr_admin' }, {}, 'read');
      expect(user).toMatchObject({ displayName: 'Ana Lima', photoURL });
      const found = await call(members.listMembers, org, { query: { search: 'lima' } });
      expect(found.items.map(({ user: { id } }) => id)).toEqual(['usr_admin']);
      await call(updateUser, { userId: 'usr_admin' }, { body: { photoURL: null } });
      expect(await call(getUser, { userId: 'usr_admin' }, {}, 'read')).not.toHaveProperty('photoURL');
    },
  },
  {
    of: 'invite',
    fields: ['role'],
    run: async ({ call, org }) => {
      const { id } = await call(invites.createInvite, org, { body: { role: 'read' } });
      await call(invites.updateInvite, { ...org, inviteId: id }, { body: { role: 'edit' } });
      expect((await call(invites.getInvite, { ...org, inviteId: id })).role).toBe('edit');
      await call(invites.acceptInvite, { ...org, inviteId: id }, {}, 'outsider');
      expect((await call(members.getMember, { ...org, userId: 'usr_outsider' })).role).toBe('edit');
    },
  },
  {
    of: 'page-meta-links',
    fields: ['canonical', 'alternates'].flatMap((name) =>
      ['kind', 'page', 'space', 'url'].map((field) => `${name}.${field}`),
    ),
    run: async ({ call, org }) => {
      const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
      const { id } = await call(changeRequests.createChangeRequest, { spaceId }, { body: {} });
      const at = { spaceId, changeRequestId: id };
      const change = (...changes: object[]) => call(batchContent, at, { body: { changes } });
      const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: 'x' } });
      const { pages } = await change(insert('Original'), insert('Copy'));
      const [original, copy] = pages.map((page) => page.id);
      const links = [
        { kind: 'page', page: original, space: spaceId },
        { kind: 'url', url: 'https://example.com/fr' },
      ];
      const page = { pageId: copy! };
      for (const [canonical, other] of [links, links.toReversed()]) {
        const metaLinks = { canonical, alternates: [other] };
        await change({ operation: 'update_page', page: copy, metaLinks });
        expect(await call(draftPages.listPageMetaLinks, { ...at, ...page })).toEqual(metaLinks);
      }
      await call(changeRequests.mergeChangeRequest, at, { body: {} });
      expect(await call(spacePages.listPageMetaLinks, { spaceId, ...page })).toEqual({
        canonical: links[1],
        alternates: [links[0]],
      });
    },
  },
  {
    of: 'publishing-auth',
    fields: ['fallbackURL', 'logoutURL'],
    run: async ({ call, refusal, org }) => {
      const { id } = await call(sites.createSite, org, { body: { title: 'Docs' } });
      const site = { ...org, siteId: id };
      const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
      await call(addSiteSpace, site, { body: { spaceId } });
      await call(sites.publishSite, site);
      const [fallbackURL, logoutURL] = ['https://example.com/login', 'https://example.com/logout'];
      const { privateKey } = await call(auth.updatePublishingAuth, site, {
        body: { fallbackURL, logoutURL },
      });
      const { hint } = await refusal(sites.getPublishedSite, site, { query: { visitorToken: 'wrong' } });
      expect(hint).toContain(fallbackURL);
      const replaced = await call(auth.regeneratePublishingAuth, site);
      expect(replaced).toMatchObject({ fallbackURL, logoutURL });
      expect(replaced.privateKey).not.toBe(privateKey);
      await call(auth.updatePublishingAuth, site, { body: { logoutURL: null } });
      expect(await call(auth.getPublishingAuth, site)).not.toHaveProperty('logoutURL');
    },
  },
];
