import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitBookAPIError, type GitBookAPI } from '@gitbook/api';
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

it('returns errors that the client can read', async () => {
  const absent = await refusal(api.spaces.getSpaceById('spc_absent'));
  expect(absent).toBeInstanceOf(GitBookAPIError);
  expect([absent.code, absent.errorMessage]).toEqual([404, expect.stringContaining('spc_absent')]);
  expect((await refusal(peer.as('read').orgs.createSpace(org, { title: 'No' }))).code).toBe(403);
  expect((await refusal(api.orgs.createSpace(org, { title: 'x'.repeat(51) }))).code).toBe(400);
});

/** All answers that differ from the published client; here the API document takes precedence. */
const deviations: readonly {
  readonly of: string;
  readonly published: number;
  readonly why: string;
  readonly work: (spaceId: string, changeRequestId: string) => Promise<unknown>;
  readonly answered: number;
}[] = [
  {
    of: 'deleting a missing comment of a change request',
    published: 204,
    answered: 404,
    why: 'API document, Comments: 404',
    work: (spaceId, changeRequestId) =>
      api.spaces.deleteCommentInChangeRequest(spaceId, changeRequestId, 'com_absent'),
  },
  {
    of: 'deleting a missing reply of a change request',
    published: 204,
    answered: 404,
    why: 'API document, Comments: 404',
    work: async (spaceId, changeRequestId) => {
      const { data: comment } = await api.spaces.postCommentInChangeRequest(spaceId, changeRequestId, {
        body: { markdown: 'Text' },
      });
      return api.spaces.deleteCommentReplyInChangeRequest(spaceId, changeRequestId, comment.id, 'rep_absent');
    },
  },
  {
    of: 'deleting a missing invite',
    published: 204,
    answered: 404,
    why: 'API document, Organizations: 404',
    work: () => api.orgs.deleteOrganizationInviteById(org, 'inv_absent'),
  },
  {
    of: 'deleting any other missing resource',
    published: 204,
    answered: 404,
    why: 'our rule: DELETE is 204 when it deleted, 404 when there was nothing, so that a typing error shows',
    work: () => api.orgs.removeTeamFromOrganizationById(org, 'team_absent'),
  },
];

it.each(deviations)('returns $answered instead of $published for $of ($why)', async ({ work, answered }) => {
  const { id } = (await api.orgs.createSpace(org, { title: 'Deviations' })).data;
  const { data: changeRequest } = await api.spaces.createChangeRequest(id, {});
  expect((await refusal(work(id, changeRequest.id))).code).toBe(answered);
});
