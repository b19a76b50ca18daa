import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { sites } from '../../../src/core/rows/sites.ts';
import {
  addSectionGroup,
  addSectionToGroup,
  deleteSectionGroup,
  listSectionGroups,
  updateSectionGroup,
} from '../../../src/resources/site-section-groups/contract.ts';
import {
  addSection,
  deleteSection,
  listSiteSections,
  moveSection,
  updateSection,
} from '../../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import { getSiteStructure, sortSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';
import { siteSpaces } from '../../../src/core/rows/site-spaces.ts';
import { siteSections } from '../../../src/resources/site-sections/rows.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const section = (title: string, more: object = {}) => world.section(site, title, more);
const group = (title: string, more: object = {}) => world.group(site, title, more);
const siteSpace = (title: string, more: object = {}) => world.siteSpace(site, title, more);

describe('sorting', () => {
  const sort = (item: object, position: object) =>
    world.call(sortSiteStructure, { siteId: site }, { item, position });
  const refuse = (item: object, position: object) =>
    world.refusal(sortSiteStructure, { siteId: site }, { item, position });

  test('moves items before, after and to the end', async () => {
    const ids = [];
    for (const title of ['Aa', 'Bb', 'Cc']) ids.push({ type: 'site-section', id: await section(title) });
    expect(await sort(ids[2]!, { before: ids[0] })).toMatchObject({ object: 'site-section', title: 'Cc' });
    expect(await world.sketch(site)).toBe('Cc[Cc*] Aa*[Aa*] Bb[Bb*]');
    await sort(ids[2]!, { after: ids[0] });
    expect(await world.sketch(site)).toBe('Aa*[Aa*] Cc[Cc*] Bb[Bb*]');
    await sort(ids[0]!, {});
    expect(await world.sketch(site)).toBe('Cc[Cc*] Bb[Bb*] Aa*[Aa*]');
    await sort(ids[0]!, { before: ids[0] });
    expect(await world.sketch(site)).toBe('Cc[Cc*] Bb[Bb*] Aa*[Aa*]');
    expect(
      await world.call(
        moveSection,
        { siteId: site, siteSectionId: ids[0]!.id },
        { position: { before: { type: 'site-section', siteSection: ids[2]!.id } } },
      ),
    ).toMatchObject({
      title: 'Aa',
    });
    expect(await world.sketch(site)).toBe('Aa*[Aa*] Cc[Cc*] Bb[Bb*]');
    await world.call(moveSection, { siteId: site, siteSectionId: ids[0]!.id }, {});
    expect(await world.sketch(site)).toBe('Cc[Cc*] Bb[Bb*] Aa*[Aa*]');
  });

  test('moves items between two neighbors, even if others are between them', async () => {
    const ids = [];
    for (const title of ['Aa', 'Bb', 'Cc', 'Dd'])
      ids.push({ type: 'site-section', id: await section(title) });
    const [first, second, third, last] = ids as [object, object, object, { id: string }];
    await sort(last, { after: first, before: second });
    expect(await world.sketch(site)).toBe('Aa*[Aa*] Dd[Dd*] Bb[Bb*] Cc[Cc*]');
    const position = {
      before: { type: 'site-section', siteSection: ids[2]!.id },
      after: { type: 'site-section', siteSection: ids[0]!.id },
    };
    await world.call(moveSection, { siteId: site, siteSectionId: last.id }, { position });
    expect(await world.sketch(site)).toBe('Aa*[Aa*] Bb[Bb*] Dd[Dd*] Cc[Cc*]');
    expect(await refuse(last, { after: third, before: second })).toMatchObject({
      message: 'The item in "after" must come before the item in "before".',
    });
  });

  test('moves site spaces within their section or root', async () => {
    const ids = [await siteSpace('Aa'), await siteSpace('Bb'), await siteSpace('Cc')];
    expect(
      await sort({ type: 'site-space', id: ids[2] }, { before: { type: 'site-space', id: ids[0] } }),
    ).toMatchObject({ object: 'site-space', title: 'Cc' });
    expect(await world.sketch(site)).toBe('Cc Aa* Bb');
    expect(
      await world.call(
        moveSiteSpace,
        { siteId: site, siteSpaceId: ids[2]! },
        { position: { after: { type: 'site-space', siteSpace: ids[1] } } },
      ),
    ).toMatchObject({
      title: 'Cc',
    });
    expect(await world.sketch(site)).toBe('Aa* Bb Cc');
    await section('Dd');
    expect(await world.sketch(site)).toBe('Aa*[Aa* Bb Cc] Dd[Dd*]');
  });

  test('refuses neighbors of another level or in the wrong order, and missing items', async () => {
    const [one, two] = [
      { type: 'site-section', id: await section('One') },
      { type: 'site-section', id: await section('Two') },
    ];
    const box = { type: 'site-section-group', id: await group('Box', { sections: [two.id] }) };
    const { items } = await world.call(listSiteSpaces, { siteId: site });
    const [first, second] = items.map(({ id }) => ({ type: 'site-space', id }));
    for (const [item, position] of [
      [one, { before: two }],
      [two, { after: box }],
      [first!, { before: second }],
      [one, { after: first }],
      [one, { before: one, after: box }],
    ] as const) {
      expect(await refuse(item, position)).toMatchObject({
        reason: 'invalid-input',
        paths: ['/body/position'],
      });
    }
    const absent = { type: 'site-section', id: 'sitesc_none' };
    expect(await refuse(absent, {})).toMatchObject({ reason: 'not-found' });
    expect(await refuse(one, { after: absent })).toMatchObject({ reason: 'not-found' });
    expect(await refuse({ type: 'site-space', id: one.id }, {})).toMatchObject({ reason: 'not-found' });
    expect(await world.refusal(sortSiteStructure, { siteId: site }, { item: one })).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/position'],
    });
    expect(await world.sketch(site)).toBe('One*[One*] (Box: Two[Two*])');
  });

  test('gives the same order as the same moves in a plain list', async () => {
    const move = fc.record({ item: fc.nat(4), to: fc.nat(4), before: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
        world = await createSitesWorld();
        site = await world.site('Docs');
        const things: { type: string; id: string }[] = [];
        for (const title of ['Aa', 'Bb', 'Cc'])
          things.push({ type: 'site-section', id: await section(title) });
        for (const title of ['Dd', 'Ee']) things.push({ type: 'site-section-group', id: await group(title) });
        let expected = [...things];
        for (const { item, to, before } of moves) {
          const [moved, neighbour] = [things[item]!, things[to]!];
          await sort(moved, before ? { before: neighbour } : { after: neighbour });
          if (moved === neighbour) continue;
          expected = expected.filter((thing) => thing !== moved);
          expected.splice(expected.indexOf(neighbour) + (before ? 0 : 1), 0, moved);
        }
        const { structure } = await world.call(getSiteStructure, { siteId: site });
        expect(structure.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});

test('additions and deletions keep one default section, one default per section and the right count', async () => {
  const step = fc.record({
    kind: fc.constantFrom(
      'section',
      'space',
      'root',
      'delete-section',
      'delete-space',
      'group',
      'delete-group',
      'into',
    ),
    at: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      world = await createSitesWorld();
      site = await world.site('Docs');
      for (const { kind, at } of steps) {
        const of = <T>(items: readonly T[]) => items[at % items.length];
        const shown = of((await world.call(listSiteSections, { siteId: site })).items)?.id;
        const held = of((await world.call(listSiteSpaces, { siteId: site })).items)?.id;
        const box = of((await world.call(listSectionGroups, { siteId: site })).items)?.id;
        if (kind === 'section') await section(`Section ${at}`);
        if (kind === 'root') await siteSpace(`Space ${at}`);
        if (kind === 'space' && shown !== undefined) await siteSpace(`Space ${at}`, { sectionId: shown });
        if (kind === 'group') await group(`Group ${at}`, shown === undefined ? {} : { sections: [shown] });
        if (kind === 'into' && box !== undefined && shown !== undefined)
          await world.call(
            addSectionToGroup,
            { siteId: site, siteSectionGroupId: box },
            { sectionId: shown },
          );
        if (kind === 'delete-group' && box !== undefined)
          await world.call(deleteSectionGroup, { siteId: site, siteSectionGroupId: box });
        if (kind === 'delete-section' && shown !== undefined)
          await world.call(deleteSection, { siteId: site, siteSectionId: shown });
        if (kind === 'delete-space' && held !== undefined)
          await world
            .call(deleteSiteSpace, { siteId: site, siteSpaceId: held })
            .catch((error: { reason?: string }) => expect(error.reason).toBe('conflict'));
      }
      await checkInvariants();
    }),
    { numRuns: 40, seed: 11 },
  );
});

async function checkInvariants(): Promise<void> {
  await world.core.store.read(async (view) => {
    const row = (await view.get(sites, site))!;
    const sections = await view.find(siteSections, { index: 'bySite', equals: [site], limit: 100 });
    const spaces = await view.find(siteSpaces, { index: 'bySite', equals: [site], limit: 100 });
    expect(row.siteSpaces).toBe(spaces.length);
    expect(sections.filter(({ id }) => id === row.defaultSection)).toHaveLength(
      sections.length === 0 ? 0 : 1,
    );
    const root = spaces.filter((space) => space.section === null);
    expect(sections.length > 0 ? root : []).toEqual([]);
    expect(root.filter(({ id }) => id === row.defaultSiteSpace)).toHaveLength(root.length === 0 ? 0 : 1);
    for (const one of sections) {
      const own = spaces.filter((space) => space.section === one.id);
      expect(own.filter(({ id }) => id === one.defaultSiteSpace)).toHaveLength(1);
      expect(new Set(own.map(({ path }) => path)).size).toBe(own.length);
    }
  });
}

test('changes of the structure are allowed only for administrators of the organization', async () => {
  const [one, spare] = [await section('One'), await world.space('Spare')];
  const box = await group('Box');
  const own = (await world.call(listSiteSpaces, { siteId: site })).items[0]!.id;
  const changes = [
    [addSection, {}, { spaceId: spare }],
    [updateSection, { siteSectionId: one }, { title: 'Mine' }],
    [moveSection, { siteSectionId: one }, {}],
    [deleteSection, { siteSectionId: one }, undefined],
    [addSiteSpace, {}, { spaceId: spare }],
    [updateSiteSpace, { siteSpaceId: own }, { hidden: true }],
    [moveSiteSpace, { siteSpaceId: own }, {}],
    [deleteSiteSpace, { siteSpaceId: own }, undefined],
    [addSectionGroup, {}, { title: 'Mine' }],
    [updateSectionGroup, { siteSectionGroupId: box }, { title: 'Mine' }],
    [addSectionToGroup, { siteSectionGroupId: box }, { sectionId: one }],
    [deleteSectionGroup, { siteSectionGroupId: box }, undefined],
    [sortSiteStructure, {}, { item: { type: 'site-section', id: one }, position: {} }],
  ] as const;
  for (const [operation, params, body] of changes) {
    expect(
      await world.refusal(operation, { siteId: site, ...params }, body, undefined, 'create'),
    ).toMatchObject({ reason: 'forbidden' });
    expect(
      await world.refusal(operation, { siteId: site, ...params }, body, undefined, 'outsider'),
    ).toMatchObject({ reason: 'not-found' });
  }
  for (const operation of [listSiteSections, listSiteSpaces, listSectionGroups]) {
    expect(await world.call(operation, { siteId: site }, undefined, undefined, 'read')).toMatchObject({
      count: 1,
    });
    expect(await world.refusal(operation, { siteId: site }, undefined, undefined, 'guest')).toMatchObject({
      reason: 'not-found',
    });
    expect(await world.refusal(operation, { siteId: site }, undefined, undefined, 'outsider')).toMatchObject({
      reason: 'not-found',
    });
  }
});
