import { expect, it } from 'vitest';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('the page of a site shows the conditions of its spaces', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const org = { organizationId: serving.world.org };
  const { id: siteId, urls } = await call(createSite, org, { body: { title: 'Docs' } });
  for (const [title, condition] of [['Open'], ['Beta', 'visitor.claims.beta == true']] as const) {
    const { id: spaceId } = await call(createSpace, org, { body: { title } });
    const at = { ...org, siteId };
    const { id: siteSpaceId } = await call(addSiteSpace, at, { body: { spaceId } });
    if (condition !== undefined) await call(updateSiteSpace, { ...at, siteSpaceId }, { body: { condition } });
  }
  const { body } = await (await signedIn(serving, 'admin')).open(urls.app);
  const items = body.split('<li>').filter((item) => /Open|Beta/.test(item));
  expect(items.map((item) => item.includes('visitor.claims.beta == true'))).toEqual([false, true]);
  expect(body).not.toContain('undefined');
});
