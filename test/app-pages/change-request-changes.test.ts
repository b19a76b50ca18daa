import { expect, it } from 'vitest';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('a change request shows the first 600 changed lines of a page, and the number of the others', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const spaceId = (
    await call(createSpace, { organizationId: serving.world.org }, { body: { title: 'Guide' } })
  ).id;
  const reader = await signedIn(serving, 'admin');
  const shownOf = async (lines: number) => {
    const { id, urls } = await call(createChangeRequest, { spaceId }, { body: {} });
    const markdown = Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join('');
    const changes = [{ operation: 'insert_page', title: 'Long', document: { markdown } }];
    await call(batchContent, { spaceId, changeRequestId: id }, { body: { changes } });
    const { body } = await reader.open(urls.app);
    expect(body).not.toContain('more changed page');
    return [body.match(/<ins>/g)?.length, /(\d+ more lines?)</.exec(body)?.[1]];
  };
  expect(await shownOf(600)).toEqual([600, undefined]);
  expect(await shownOf(601)).toEqual([600, '1 more line']);
  expect(await shownOf(700)).toEqual([600, '100 more lines']);
});
