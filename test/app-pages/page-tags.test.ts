import { expect, it } from 'vitest';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('a page for members shows the tags of a page', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const { org } = serving.world;
  const spaceId = (await call(createSpace, { organizationId: org }, { body: { title: 'Guide' } })).id;
  const changeRequestId = (await call(createChangeRequest, { spaceId }, { body: {} })).id;
  const document = { markdown: '---\ntags: [beta, api]\n---\n\nText' };
  const changes = [{ operation: 'insert_page', title: 'Prices', document }];
  await call(batchContent, { spaceId, changeRequestId }, { body: { changes } });
  const { body } = await (await signedIn(serving, 'admin')).open(`/o/${org}/s/${spaceId}/~/changes/1/prices`);
  expect(body).toMatch(/Tags<[^>]*>\s*<[^>]*>beta, api</);
});
