import { expect, it } from 'vitest';
import { createChangeRequest, updateChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('the page of an organization shows how many open change requests a space has, if it has any', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const { org } = serving.world;
  for (const title of ['Guide', 'Reference']) {
    const { id: spaceId } = await call(createSpace, { organizationId: org }, { body: { title } });
    const { id: changeRequestId } = await call(createChangeRequest, { spaceId }, { body: {} });
    if (title === 'Guide')
      await call(updateChangeRequest, { spaceId, changeRequestId }, { body: { status: 'open' } });
  }
  const { body } = await (await signedIn(serving, 'admin')).open(`/o/${org}`);
  expect(body).toContain('Reference');
  expect(body.match(/\d+ open change requests?/g)).toEqual(['1 open change request']);
});
