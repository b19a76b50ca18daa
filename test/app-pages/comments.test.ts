import { expect, it } from 'vitest';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { createComment, updateComment } from '../../src/resources/comments/change-request/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('a change request shows what its comments are about, and the reactions to them', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const org = { organizationId: serving.world.org };
  const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const { id, urls } = await call(createChangeRequest, { spaceId }, { body: { subject: 'New' } });
  const at = { spaceId, changeRequestId: id };
  const page = { operation: 'insert_page', title: 'Set up', document: { markdown: 'Text' } };
  const { pages } = await call(batchContent, at, { body: { changes: [page] } });
  const body = { page: pages[0]?.id, body: { markdown: 'Too short' } };
  const comment = await call(createComment, at, { body });
  await call(updateComment, { ...at, commentId: comment.id }, { body: { addedReactions: ['👍'] } });
  const shown = (await (await signedIn(serving, 'admin')).open(urls.app)).body;
  expect(shown).toMatch(/on <a href="[^"]*\/~\/changes\/1\/set-up">Set up<\/a>/);
  expect(shown).toContain('👍 1');
});
