import { Buffer } from 'node:buffer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeRequest, GitBookAPI, Space } from '@gitbook/api';
import { refusal, startPeer, type Peer } from './published-answers.ts';

let peer: Peer;
let api: GitBookAPI;
let org: string;

beforeAll(async () => {
  peer = await startPeer();
  api = peer.as('admin');
  org = peer.world.org;
});
afterAll(() => peer.stop());

/** Each test fails if an answer violates the published schemas. */
afterEach(() => {
  expect(peer.faults().map(({ operationId, fault }) => `${operationId}: ${fault}`)).toEqual([]);
});

const space = async (title: string): Promise<Space> => (await api.orgs.createSpace(org, { title })).data;

/** Edits a change request, with the one operation on content that this version of the client does not have. */
async function edit(changeRequest: ChangeRequest, ...changes: object[]): Promise<void> {
  const { world } = peer;
  const { updateContent } = await import('../../src/resources/content/change-request/contract.ts');
  const params = { spaceId: changeRequest.space, changeRequestId: changeRequest.id };
  const answer = await world.as('admin').call(updateContent, { params, body: { changes: changes as never } });
  expect(peer.against('ChangeRequest', answer)).toEqual([]);
}

describe('the unmodified GitBook client', { timeout: 60_000 }, () => {
  it('reads and updates the organization', async () => {
    expect((await api.user.getAuthenticatedUser()).data.email).toBe('admin@acme.test');
    expect((await api.orgs.listOrganizationsForAuthenticatedUser()).data.items.map(({ id }) => id)).toEqual([
      org,
    ]);
    expect(
      (
        await api.orgs.updateOrganizationById(org, {
          title: 'Acme & Co',
          emailDomains: ['acme.test'],
          defaultRole: 'read' as never,
        })
      ).data.title,
    ).toBe('Acme & Co');
    expect((await api.orgs.getOrganizationById(org)).data.emailDomains).toEqual(['acme.test']);
    expect(
      (await api.emailDomains.getOrganizationsForEmailDomain('acme.test')).data.organizations,
    ).toHaveLength(1);
    expect((await api.subdomains.getSubdomain('acme')).data.isActive).toBe(false);
    await api.orgs.updateOrganizationMemberLastSeenAt(org);
    await peer.as('outsider').orgs.getOrganizationById(peer.world.otherOrg);
  });

  it('is checked against schemas that detect errors', async () => {
    const good = await space('Right');
    expect(peer.against('Space', good)).toEqual([]);
    for (const key of ['id', 'title', 'visibility', 'permissions'] as const)
      expect(peer.against('Space', { ...good, [key]: 7 }), key).not.toEqual([]);
    expect(peer.against('Space', { ...good, visibility: 'secret' })).not.toEqual([]);
    expect(peer.against('Space', { ...good, urls: undefined })).not.toEqual([]);
  });

  it('manages members, invites and teams', async () => {
    const read = peer.world.user('read');
    expect((await api.orgs.listMembersInOrganizationById(org, { limit: 2 })).data.next?.page).toBeTypeOf(
      'string',
    );
    expect((await api.orgs.getMemberInOrganizationById(org, read)).data.role).toBe('read');
    expect((await api.orgs.getMemberInOrganizationById(org, peer.world.user('guest'))).data.role).toBeNull();
    expect(
      (await api.orgs.updateMemberInOrganizationById(org, read, { role: 'comment' as never })).data.role,
    ).toBe('comment');
    await api.orgs.setUserAsSsoMemberForOrganization(org, read);
    await api.orgs.inviteUsersToOrganization(org, {
      emails: ['new@acme.test'],
      role: 'read',
      sso: false,
    } as never);
    await api.orgs.createOrganizationInvite(org, { role: 'read' } as never);
    const { data: team } = await api.orgs.createOrganizationTeam(org, { title: 'Writers', members: [read] });
    expect((await api.orgs.getTeamInOrganizationById(org, team.id)).data.members).toBe(2);
    await api.orgs.updateTeamInOrganizationById(org, team.id, { title: 'Authors' });
    expect((await api.orgs.listTeamsInOrganizationById(org)).data.items.map(({ title }) => title)).toEqual([
      'Authors',
    ]);
    await api.orgs.addMemberToOrganizationTeamById(org, team.id, peer.world.user('edit'), {
      role: 'owner' as never,
    });
    await api.orgs.updateMembersInOrganizationTeam(org, team.id, {
      add: [peer.world.user('review')],
      remove: [peer.world.user('edit')],
    });
    expect((await api.orgs.listTeamMembersInOrganizationById(org, team.id)).data.items).toHaveLength(3);
    expect(
      (await api.orgs.listTeamsForOrganizationMember(org, read)).data.items.map(({ member }) => member.role),
    ).toEqual(['member']);
    await space('Seen by members');
    expect((await api.orgs.listSpacesForOrganizationMember(org, read)).data.items).not.toEqual([]);
    await api.orgs.removeTeamFromOrganizationById(org, team.id);
    await api.orgs.removeMemberFromOrganizationById(org, peer.world.user('comment'));
  });

  it('manages collections', async () => {
    const { data: parent } = await api.orgs.createCollection(org, { title: 'Products' });
    const { data: child } = await api.orgs.createCollection(org, { title: 'Old', parent: parent.id });
    await api.collections.updateCollectionById(child.id, {
      description: 'Was',
      defaultLevel: 'read' as never,
    });
    await api.orgs.createSpace(org, { title: 'Inside', parent: child.id });
    expect((await api.collections.listSpacesInCollectionById(child.id)).data.items).toHaveLength(1);
    await api.collections.moveCollection(child.id, { parent: null });
    expect((await api.collections.getCollectionById(child.id)).data.parent).toBeUndefined();
    expect((await api.orgs.listCollectionsInOrganizationById(org, { nested: true })).data.count).toBe(2);
    await api.collections.deleteCollectionById(parent.id);
  });

  it('manages spaces', async () => {
    const made = await space('Guide');
    expect(
      (
        await api.spaces.updateSpaceById(made.id, {
          title: 'Guides',
          emoji: '1f4d8',
          language: 'en',
          mergeRules: { type: 'inherit' },
        } as never)
      ).data.title,
    ).toBe('Guides');
    const { data: copy } = await api.spaces.duplicateSpace(made.id);
    expect((await api.orgs.listSpacesInOrganizationById(org)).data.items.map(({ id }) => id)).toContain(
      copy.id,
    );
    const { data: collection } = await api.orgs.createCollection(org, { title: 'Shelf' });
    expect((await api.spaces.moveSpace(copy.id, { parent: collection.id })).data.parent).toBe(collection.id);
    await api.spaces.deleteSpaceById(copy.id);
    expect((await refusal(api.spaces.getSpaceById(copy.id))).code).toBe(404);
    expect((await api.spaces.restoreSpace(copy.id)).data.deletedAt).toBeUndefined();
    const { createOrganization } = await import('../../src/resources/organizations/contract.ts');
    const second = await peer.world.as('admin').call(createOrganization, { body: { title: 'Second' } });
    expect(peer.against('Organization', second)).toEqual([]);
    expect((await api.spaces.transferSpace(copy.id, { organization: second.id })).data.organization).toBe(
      second.id,
    );
    await api.collections.transferCollection(collection.id, { organization: second.id });
  });

  it('posts comments and replies in a space and in a change request', async () => {
    const { id } = await space('Discussed');
    const { data: changeRequest } = await api.spaces.createChangeRequest(id, { subject: 'Better' });
    const body = { markdown: 'Is **this** right?' };
    const { data: comment } = await api.spaces.postCommentInSpace(id, { body });
    const { data: reply } = await api.spaces.postCommentReplyInSpace(id, comment.id, { body });
    await api.spaces.updateCommentReplyInSpace(id, comment.id, reply.id, {
      body: { markdown: 'No.' },
      addedReactions: ['1f44d'],
    });
    expect(
      (
        await api.spaces.updateCommentInSpace(id, comment.id, {
          resolved: true,
          addedReactions: ['1f44d'],
        })
      ).data.status,
    ).toBe('resolved');
    for (const format of ['markdown', 'document'] as const) {
      await api.spaces.getCommentInSpace(id, comment.id, { format });
      expect((await api.spaces.listCommentsInSpace(id, { format, status: 'all' })).data.items).toHaveLength(
        1,
      );
      expect(
        (await api.spaces.listCommentRepliesInSpace(id, comment.id, { format })).data.items,
      ).toHaveLength(1);
      await api.spaces.getCommentReplyInSpace(id, comment.id, reply.id, { format });
    }
    expect((await api.spaces.listCommentersInSpace(id)).data.items).toHaveLength(1);
    await api.spaces.deleteCommentReplyInSpace(id, comment.id, reply.id);
    await api.spaces.deleteCommentInSpace(id, comment.id);

    const { data: draft } = await api.spaces.postCommentInChangeRequest(id, changeRequest.id, { body });
    const { data: answer } = await api.spaces.postCommentReplyInChangeRequest(
      id,
      changeRequest.id,
      draft.id,
      { body },
    );
    await api.spaces.updateCommentReplyInChangeRequest(id, changeRequest.id, draft.id, answer.id, {
      body: { markdown: 'Yes.' },
    });
    await api.spaces.getCommentReplyInChangeRequest(id, changeRequest.id, draft.id, answer.id);
    await api.spaces.listCommentRepliesInChangeRequest(id, changeRequest.id, draft.id);
    await api.spaces.updateCommentInChangeRequest(id, changeRequest.id, draft.id, { resolved: true });
    await api.spaces.getCommentInChangeRequest(id, changeRequest.id, draft.id);
    expect((await api.spaces.listCommentsInChangeRequest(id, changeRequest.id)).data.items).toHaveLength(1);
    await api.spaces.listCommentersInChangeRequest(id, changeRequest.id);
    await api.spaces.deleteCommentReplyInChangeRequest(id, changeRequest.id, draft.id, answer.id);
    await api.spaces.deleteCommentInChangeRequest(id, changeRequest.id, draft.id);
  });

  it('edits, reviews and merges a change request, and reads the content', async () => {
    const { id } = await space('Manual');
    const { data: first } = await api.spaces.createChangeRequest(id, { subject: 'Start' });
    await edit(
      first,
      {
        operation: 'insert_page',
        title: 'Install',
        emoji: '1f680',
        document: {
          markdown:
            '# Install\n\nRun `x` on [us](https://a.example).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
        },
        ref: 'install',
      },
      { operation: 'insert_page', title: 'On Linux', document: { markdown: 'Text' }, into: 'install' },
      { operation: 'insert_page', type: 'group', title: 'More', document: {} },
      { operation: 'insert_page', type: 'link', title: 'Home', href: 'https://a.example', document: {} },
      {
        operation: 'insert_files',
        files: [{ name: 'a.txt', contentType: 'text/plain', base64: Buffer.from('a').toString('base64') }],
      },
    );
    await api.spaces.updateChangeRequestById(id, first.id, { status: 'open', subject: 'Begin' });
    const reviewer = peer.world.user('review');
    await api.spaces.requestReviewersForChangeRequest(id, first.id, { users: [reviewer] });
    expect((await api.spaces.getRequestedReviewersByChangeRequestId(id, first.id)).data.items).toHaveLength(
      1,
    );
    const { data: review } = await peer
      .as('review')
      .spaces.submitChangeRequestReview(id, first.id, { status: 'approved' as never });
    await api.spaces.getChangeRequestReviewById(id, first.id, review.id);
    expect((await api.spaces.getReviewsByChangeRequestId(id, first.id)).data.items).toHaveLength(1);
    await api.spaces.removeRequestedReviewerFromChangeRequest(id, first.id, reviewer);
    await api.spaces.getContributorsByChangeRequestId(id, first.id);
    const { data: second } = await api.spaces.createChangeRequest(id, { subject: 'Later' });
    expect((await api.spaces.getRevisionOfChangeRequestById(id, first.id)).data.pages).toHaveLength(3);
    const { pages } = (await api.spaces.listPagesInChangeRequest(id, first.id)).data;
    const { items: files } = (await api.spaces.listFilesInChangeRequestById(id, first.id)).data;
    await api.spaces.getFileInChangeRequestById(id, first.id, files[0]!.id);
    for (const page of pages)
      for (const format of ['markdown', 'document'] as const)
        await api.spaces.getPageInChangeRequestById(id, first.id, page.id, { format });
    await api.spaces.getPageInChangeRequestByPath(id, first.id, 'install');
    expect(
      (await api.spaces.getChangeRequestChanges(id, first.id, { limit: 100 })).data.changes.length,
    ).toBeGreaterThan(4);
    await api.spaces.listPageLinksInChangeRequest(id, first.id, pages[0]!.id);
    await api.spaces.listChangeRequestPageBacklinks(id, first.id, pages[0]!.id);
    await api.spaces.listChangeRequestFileBacklinks(id, first.id, files[0]!.id);
    expect((await api.spaces.getChangeRequestPdf(id, first.id)).data.url).toContain('/pdf');
    const merged = (await api.spaces.mergeChangeRequest(id, first.id)).data;
    expect(merged.result).toBe('merge');
    expect((await api.spaces.getRevisionById(id, merged.revision)).data.pages).toHaveLength(3);
    expect((await api.spaces.getRevisionSemanticChanges(id, merged.revision)).data.mergedFrom?.id).toBe(
      first.id,
    );
    expect((await api.spaces.listPagesInRevisionById(id, merged.revision)).data.pages).toHaveLength(3);
    for (const page of pages)
      await api.spaces.getPageInRevisionById(id, merged.revision, page.id, { format: 'document' as const });
    await api.spaces.getPageInRevisionByPath(id, merged.revision, 'install');
    await api.spaces.listFilesInRevisionById(id, merged.revision);
    await api.spaces.getFileInRevisionById(id, merged.revision, files[0]!.id);
    expect((await api.spaces.listSpaceLinks(id)).data.stats.total).toBe(2);
    await api.spaces.listPageLinksInSpace(id, pages[0]!.id, { status: 'ok' as never });
    await api.spaces.listSpacePageBacklinks(id, pages[0]!.id);
    await api.spaces.listSpaceFileBacklinks(id, files[0]!.id);
    expect((await api.spaces.searchSpaceContent(id, { query: 'install' })).data.items[0]?.title).toBe(
      'Install',
    );
    expect((await api.orgs.searchOrganizationContent(org, { query: 'install' })).data.items).toHaveLength(1);
    expect((await api.spaces.getSpacePdf(id)).data.url).toContain('/pdf');
    expect((await api.spaces.getChangeRequestById(id, first.id)).data.status).toBe('merged');
    expect((await api.spaces.updateChangeRequest(id, second.id)).data.result).toBe('update');
    expect(
      (await api.spaces.listChangeRequestsForSpace(id, { status: 'merged' as never })).data.items,
    ).toHaveLength(1);
    expect(
      (
        await api.orgs.listChangeRequestsForOrganization(org, {
          status: 'draft' as never,
          space: id,
        } as never)
      ).data.items.map((one) => one.id),
    ).toEqual([second.id]);

    expect((await api.spaces.getCurrentRevision(id)).data.pages).toHaveLength(3);
    expect((await api.spaces.listPages(id)).data.pages.map(({ title }) => title)).toEqual([
      'Install',
      'More',
      'Home',
    ]);
    for (const page of pages)
      for (const format of ['markdown', 'document'] as const)
        await api.spaces.getPageById(id, page.id, { format });
    await api.spaces.getPageByPath(id, encodeURIComponent('install/on-linux'));
    expect((await api.spaces.listFiles(id)).data.items.map(({ name }) => name)).toEqual(['a.txt']);
    await api.spaces.getFileById(id, files[0]!.id);
  });

  it('builds and publishes a site, and changes the order of its parts', async () => {
    const [guide, reference, more] = [await space('Guide'), await space('Reference'), await space('More')];
    const { data: site } = await api.orgs.createSite(org, {
      title: 'Docs',
      visibility: 'public' as never,
      spaces: [guide.id],
    });
    expect((await api.orgs.getSiteStructure(org, site.id)).data.type).toBe('siteSpaces');
    await api.orgs.listSiteSpaces(org, site.id);
    const { data: section } = await api.orgs.addSectionToSite(org, site.id, {
      spaceId: reference.id,
      title: 'Reference',
      icon: 'book',
    });
    await api.orgs.updateSiteSectionById(org, site.id, section.id, {
      description: 'All of it',
      path: 'ref',
      condition: 'visitor.claims.x == 1',
    });
    const { data: siteSpace } = await api.orgs.addSpaceToSite(org, site.id, {
      spaceId: more.id,
      sectionId: section.id,
    });
    await api.orgs.updateSiteSpaceById(org, site.id, siteSpace.id, { path: 'more' });
    // oxlint-disable-next-line typescript/no-deprecated -- clients of before still call it
    await api.orgs.moveSiteSpace(org, site.id, siteSpace.id, { position: {} });
    const { data: group } = await api.orgs.addSectionGroupToSite(org, site.id, {
      title: 'Group',
      sections: [section.id],
    });
    await api.orgs.updateSiteSectionGroupById(org, site.id, group.id, { title: 'Groups', icon: 'folder' });
    await api.orgs.listSiteSectionGroups(org, site.id);
    await api.orgs.addSectionToGroup(org, site.id, group.id, { sectionId: section.id });
    await api.orgs.sortSiteStructure(org, site.id, {
      item: { type: 'site-section-group', id: group.id },
      position: {},
    } as never);
    // oxlint-disable-next-line typescript/no-deprecated -- clients of before still call it
    await api.orgs.moveSiteSection(org, site.id, section.id, { position: {} });
    expect((await api.orgs.listSiteSections(org, site.id)).data.items).toHaveLength(2);
    expect((await api.orgs.getSiteStructure(org, site.id)).data.type).toBe('sections');
    await api.orgs.listSiteSpaces(org, site.id);

    const { data: link } = await api.orgs.createSiteShareLink(org, site.id, { name: 'For you' });
    await api.orgs.updateSiteShareLinkById(org, site.id, link.id, { active: false });
    expect((await api.orgs.listSiteShareLinks(org, site.id)).data.items).toHaveLength(1);
    await api.orgs.deleteSiteShareLinkById(org, site.id, link.id);
    const claims = {
      type: 'object',
      properties: {
        unsigned: {
          type: 'object',
          description: 'Unsigned claims of the site visitor.',
          properties: { beta: { type: 'boolean', description: 'Is one' } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    };
    await api.orgs.updateSiteAdaptiveSchema(org, site.id, { jsonSchema: claims as never });
    await api.orgs.getSiteAdaptiveSchema(org, site.id);
    await api.orgs.listSiteAdaptiveTemplateConditions(org, site.id);

    expect((await api.orgs.publishSite(org, site.id)).data).toMatchObject({ published: true });
    await api.orgs.getPublishedContentSite(org, site.id);
    await api.orgs.updateSiteById(org, site.id, {
      title: 'Documentation',
      basename: 'docs',
      visibility: 'unlisted' as never,
    });
    await api.orgs.updateOrganizationById(org, { defaultContent: { type: 'site', site: site.id } });
    expect((await api.orgs.listSites(org)).data.items.map(({ title }) => title)).toEqual(['Documentation']);
    expect((await api.orgs.getSiteById(org, site.id)).data.visibility).toBe('unlisted');
    await api.spaces.getSpaceById(reference.id);
    await api.orgs.unpublishSite(org, site.id);
    await api.orgs.deleteSiteSpaceById(org, site.id, siteSpace.id);
    await api.orgs.deleteSiteSectionById(org, site.id, section.id);
    await api.orgs.deleteSiteSectionGroupById(org, site.id, group.id);
    await api.orgs.deleteSiteById(org, site.id);
  });

  it('updates agent instructions, and ingests conversations', async () => {
    const instructions = {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Be brief', marks: [] }] }],
        },
      ],
    };
    await api.orgs.updateOrganizationAgentInstructions(org, { instructions: instructions as never });
    await api.orgs.getOrganizationAgentInstructions(org);
    const parts = [{ type: 'message' as const, role: 'user' as const, body: 'It does not start.' }];
    await api.orgs.ingestConversation(org, {
      id: 'one',
      subject: 'Help',
      metadata: {
        url: 'https://desk.example/1',
        attributes: { plan: 'pro' },
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      parts,
    });
    await api.orgs.ingestConversation(org, [{ id: 'two', parts }]);
    expect((await api.orgs.listConversations(org)).data.items.map(({ id }) => id).sort()).toEqual([
      'one',
      'two',
    ]);
    expect((await api.orgs.getConversationById(org, 'one')).data.parts).toEqual(parts);
    await api.orgs.getConversationById(org, 'two');
  });
});

it('calls at least 100 operations with the client', () => {
  expect(peer.answered().size).toBeGreaterThanOrEqual(100);
});
