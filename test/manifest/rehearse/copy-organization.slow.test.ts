import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { readLive } from '../../../src/manifest/export/read-live.ts';
import { copyOrganization } from '../../../src/manifest/rehearse/copy-organization.ts';
import { copyPeople } from '../../../src/manifest/rehearse/copy-people.ts';
import { Omissions, type NotCopied } from '../../../src/manifest/rehearse/copy.ts';
import { IdQueue } from '../../../src/manifest/rehearse/copy.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { readOnlyApi } from '../../../src/manifest/rehearse/copy.ts';
import { getOrganization } from '../../../src/resources/organizations/contract.ts';
import { createToken } from '../../../src/resources/tokens/contract.ts';
import { me } from '../../../src/resources/users/contract.ts';
import { listMembers } from '../../../src/resources/members/contract.ts';
import {
  deleteSiteSpace,
  addSiteSpace,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import { addSection, updateSection } from '../../../src/resources/site-sections/contract.ts';
import { addSectionGroup } from '../../../src/resources/site-section-groups/contract.ts';
import { createSite, getSiteStructure, sortSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createBench, type Bench } from '../bench.ts';
import { exportBench, textOf } from '../export/export-bench.ts';
import { wildOrganizations } from '../export/wild.ts';
import { manifestOf, organizations } from '../organizations.ts';
import { copiesFor } from './rehearse-bench.ts';

async function copyBench(
  bench: Bench,
): Promise<{ readonly copy: Bench; readonly omitted: readonly NotCopied[]; readonly acting: Api }> {
  const { api, world } = bench;
  const [ids, omissions] = [new IdQueue(), new Omissions()];
  const { copy, acting } = await copyPeople(api, world.org, copiesFor(bench), ids, omissions);
  const live = await readLive({ api, organization: world.org, table: kinds, concurrency: 4 });
  await copyOrganization({
    live,
    table: kinds,
    from: api,
    to: copy.owner,
    organization: world.org,
    ids,
    omissions,
  });
  return { copy: { api: copy.owner, world } as Bench, omitted: omissions.all, acting };
}

async function exportsOf(bench: Pick<Bench, 'api' | 'world'>) {
  const exported = await exportBench(bench);
  return { text: textOf(exported), owned: [...exported.owned] };
}

describe('a copy of an organization', () => {
  it('equals the live organization, with the same IDs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(organizations, wildOrganizations), async (organization) => {
        const bench = await createBench();
        bench.keepsLock = false;
        await bench.bring(manifestOf(organization));
        const { copy, omitted } = await copyBench(bench);
        expect(omitted).toEqual([]);
        expect(await exportsOf(copy)).toEqual(await exportsOf(bench));
      }),
      { numRuns: 20 },
    );
  }, 120_000);

  it('has the same members with their roles and IDs', async () => {
    const bench = await createBench();
    const { copy, acting } = await copyBench(bench);
    const shown = async (api: Api) =>
      (await api.call(listMembers, { params: { organizationId: bench.world.org } })).items
        .map(({ id, role, user }) => [id, role, user.email])
        .sort();
    expect(await shown(copy.api)).toEqual(await shown(bench.api));
    expect(await shown(acting)).toHaveLength(7);
  });

  it('does not make the owner of the store a member', async () => {
    const bench = await createBench();
    const { copy, acting } = await copyPeople(
      bench.world.as('owner'),
      bench.world.otherOrg,
      copiesFor(bench),
      new IdQueue(),
      new Omissions(),
    );
    const params = { organizationId: bench.world.otherOrg };
    expect(
      (await acting.call(listMembers, { params })).items.map(({ user, role }) => [user.id, role]),
    ).toEqual([['usr_outsider', 'admin']]);
    expect((await acting.call(getOrganization, { params })).permissions.admin).toBe(true);
    await copy.close();
  });

  it('gives a token no more rights than it has, even if its user has more', async () => {
    const bench = await createBench();
    const { api, world } = bench;
    const params = { organizationId: world.org };
    const { token } = await api.call(createToken, { params, body: { role: 'create' } });
    const { acting } = await copyPeople(
      embeddedApi(world.core, { kind: 'token', token }),
      world.org,
      copiesFor(bench),
      new IdQueue(),
      new Omissions(),
    );
    expect((await acting.call(getOrganization, { params })).permissions).toMatchObject({
      admin: false,
      createContent: true,
    });
    expect((await acting.call(me, {})).id).toBe('usr_admin');
  });

  it('is made with read-only calls, each of them sent once', async () => {
    const { api, world } = await createBench();
    const reading = readOnlyApi(api);
    const params = { organizationId: world.org };
    await expect(reading.call(createSite, { params, body: {} })).rejects.toThrow(
      'a rehearsal would have sent sites.create',
    );
    await Promise.all([
      reading.call(listMembers, { params }),
      reading.call(listMembers, { params }),
      reading.call(listMembers, { params, query: { limit: 1 } }),
    ]);
    expect(reading.callCount()).toBe(2);
  });

  it('keeps an order and titles that a manifest cannot express', async () => {
    const bench = await createBench();
    const params = { organizationId: bench.world.org };
    const space = async (title: string) =>
      (await bench.api.call(createSpace, { params, body: { title } })).id;
    const [one, two, three] = [await space('One'), await space('Two'), await space('Three')];
    const { id: siteId } = await bench.api.call(createSite, { params, body: { title: 'Docs' } });
    const at = { ...params, siteId };
    const first = await bench.api.call(addSection, { params: at, body: { spaceId: one, title: 'First' } });
    const group = await bench.api.call(addSectionGroup, { params: at, body: { title: 'Group' } });
    await bench.api.call(addSection, {
      params: at,
      body: { spaceId: two, title: 'Inner', siteSectionGroupId: group.id },
    });
    const last = await bench.api.call(addSection, { params: at, body: { spaceId: three, title: 'Last' } });
    // The group is between two sections.
    await bench.api.call(sortSiteStructure, {
      params: at,
      body: {
        item: { type: 'site-section', id: last.id },
        position: { before: { type: 'site-section-group', id: group.id } },
      },
    });
    // A site space with a title of its own is moved before the first one of the section, and takes over its path.
    const titled = await bench.api.call(addSiteSpace, {
      params: at,
      body: { spaceId: two, sectionId: first.id, title: 'Own title' },
    });
    const born = first.siteSpaces[0]!.id;
    await bench.api.call(sortSiteStructure, {
      params: at,
      body: {
        item: { type: 'site-space', id: titled.id },
        position: { before: { type: 'site-space', id: born } },
      },
    });
    await bench.api.call(updateSiteSpace, { params: { ...at, siteSpaceId: born }, body: { path: 'other' } });
    await bench.api.call(updateSiteSpace, {
      params: { ...at, siteSpaceId: titled.id },
      body: { path: 'one' },
    });
    await bench.api.call(updateSection, {
      params: { ...at, siteSectionId: first.id },
      body: { defaultSiteSpace: titled.id },
    });
    const { copy, omitted } = await copyBench(bench);
    expect(omitted).toEqual([]);
    const structureOf = async (api: Api) =>
      JSON.parse(
        JSON.stringify((await api.call(getSiteStructure, { params: at })).structure, (key, value: unknown) =>
          key.endsWith('At') || key === 'revision' ? undefined : value,
        ),
      );
    expect(await structureOf(copy.api)).toEqual(await structureOf(bench.api));
    // Only what no call can create again is left out and reported.
    await bench.api.call(deleteSiteSpace, { params: { ...at, siteSpaceId: born } });
    expect((await copyBench(bench)).omitted).toEqual([
      {
        kind: 'site-space.title',
        names: ['Own title'],
        why: 'The copy has another value, which cannot be changed.',
      },
    ]);
  });
});
