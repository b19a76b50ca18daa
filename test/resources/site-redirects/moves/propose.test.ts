import { describe, expect, it } from 'vitest';
import { setPermissions as setSitePermissions } from '../../../../src/resources/permissions/site/contract.ts';
import { setPermissions as setSpacePermissions } from '../../../../src/resources/permissions/space/contract.ts';
import { listSiteRedirects } from '../../../../src/resources/site-redirects/contract.ts';
import { addSection } from '../../../../src/resources/site-sections/contract.ts';
import { updateSite } from '../../../../src/resources/sites/contract.ts';
import { publishedSite } from '../../../publishing/published-site.ts';

describe('the redirects that a change of the default section needs', () => {
  it.each([true, false])('leave out spaces that the caller cannot open (created: %s)', async (redirects) => {
    const site = await publishedSite([
      { title: 'Welcome', text: 'Hello.' },
      { title: 'Setup', text: 'Install it.' },
    ]);
    const { world } = site;
    const spaceId = await site.addSpace('API', [
      { title: 'Calls', text: 'How to call.' },
      { title: 'Errors', text: 'What fails.' },
    ]);
    const added = await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
    const users = [world.user('review')];
    await site.call(setSitePermissions, site.site, { body: { users, role: 'admin' } });
    await site.call(setSpacePermissions, { spaceId: site.spaceId }, { body: { users, role: null } });
    const answer = await world.as('review').call(updateSite, {
      params: site.site,
      body: { defaultSiteSection: added.id, redirects },
    });
    expect(answer.redirects?.map(({ source }) => source)).toEqual(['/api', '/api/*']);
    expect(JSON.stringify(answer)).not.toContain(site.spaceId);
    // The redirects of the other space are created all the same.
    const { items } = await site.call(listSiteRedirects, site.site);
    expect(items.map(({ source }) => source).sort()).toEqual(
      redirects ? ['/api', '/api/*', '/setup', '/welcome'] : [],
    );
    const listed = await world.as('review').call(listSiteRedirects, { params: site.site, query: {} });
    expect(listed.items.map(({ source }) => source).sort()).toEqual(redirects ? ['/api', '/api/*'] : []);
    expect(listed.count).toBe(listed.items.length);
  });
});
