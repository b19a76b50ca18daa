import { expect, it } from 'vitest';
import { spaces as spaceRows } from '../../../src/core/rows/spaces.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { diffRoots } from '../../../src/content/trie.ts';
import { updateSearchSections } from '../../../src/content/search-sections.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { listJobs } from '../../../src/resources/jobs/contract.ts';
import { getPage } from '../../../src/resources/content/space-pages/contract.ts';
import { createWorld } from '../../support/world.ts';
import { openDesk, page } from '../content-support.ts';
import { sections } from '../../../src/content/rows.ts';

/** A page of about 900 KB. Five of them are more than the indexes follow at once. */
const big = (name: string) =>
  page(name, {
    document: {
      markdown: `# ${name}\n\n[to](/pages/pag_none) ${name}word\n\n${'Words that say little.\n\n'.repeat(39_000)}`,
    },
  });

it('indexes of links and search follow a large change in pieces when a read needs them', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const params = { spaceId: desk.spaceId };
  const row = () => world.core.store.read((view) => view.get(spaceRows, desk.spaceId));
  const find = async (query: string) =>
    (await world.as('read').call(spaces.searchSpace, { params, query: { query } })).items.map(
      ({ title }) => title,
    );
  const stats = async () => (await world.as('read').call(spaces.listSpaceLinks, { params })).stats;
  /** Checks that the sections are the same as if the content had been published in small changes. */
  const expectWhole = async () => {
    const { revision } = (await row())!;
    const ids = await world.core.store.read(async (view) =>
      (await view.find(sections, { index: 'bySpace', equals: [desk.spaceId], limit: 100_000 })).map(
        ({ id, title }) => `${id} ${title}`,
      ),
    );
    const undo = new Error('undone');
    const anew: string[] = [];
    await world.core.store
      .write(async (tx) => {
        const read = (await tx.get(revisions, revision))!;
        const changes = await diffRoots(tx, undefined, read.root);
        const space = { ...(await tx.get(spaceRows, desk.spaceId))!, id: 'spc_anew' };
        await updateSearchSections(tx, { space, revision: read }, changes);
        for (const { id, title } of await tx.find(sections, {
          index: 'bySpace',
          equals: ['spc_anew'],
          limit: 100_000,
        }))
          anew.push(`${id.replace('spc_anew', desk.spaceId)} ${title}`);
        throw undo;
      })
      .catch((error: unknown) => expect(error).toBe(undo));
    expect(ids).toEqual(anew);
  };
  await desk.publish(page('Start'));
  const made = (await desk.publish(...['Alpha', 'Beta', 'Gamma', 'Delta', 'Omega'].map(big))).pages!.map(
    ({ id }) => id,
  );
  expect((await row())?.words).toEqual({ at: expect.any(String) });
  await desk.publish(
    { operation: 'update_page', page: made[1]!, title: 'Second' },
    { operation: 'delete_page', page: made[2]! },
  );
  expect(await find('alphaword')).toEqual(['Alpha']);
  expect((await row())?.words).toBeUndefined();
  expect(await find('gammaword')).toEqual([]);
  expect(await find('second')).toEqual(['Second']);
  await expectWhole();
  expect(await stats()).toEqual({ total: 4, broken: { total: 4 } });

  const copy = await world.as('admin').call(spaces.duplicateSpace, { params });
  expect(
    (
      await world
        .as('read')
        .call(spaces.searchSpace, { params: { spaceId: copy.id }, query: { query: 'omegaword' } })
    ).items,
  ).toHaveLength(1);

  // The content changes while the index is updated.
  await desk.publish(...['Eins', 'Zwei', 'Drei', 'Vier', 'Fuenf'].map(big));
  const write = world.core.store.write.bind(world.core.store);
  let pieces = 0;
  world.core.store.write = async (work) => {
    const result = await write(work);
    if (++pieces === 2) {
      world.core.store.write = write;
      await desk.publish({ operation: 'update_page', page: made[0]!, title: 'First' }, page('Late'));
    }
    return result;
  };
  expect(await find('late')).toEqual(['Late']);
  expect(await find('first')).toEqual(['First']);
  expect(await find('vierword')).toEqual(['Vier']);
  await expectWhole();
  expect(pieces).toBe(2);
  expect(await stats()).toEqual({ total: 9, broken: { total: 9 } });
}, 60_000);

it('a job updates the indexes after a large change, even if more changes follow', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const params = { spaceId: desk.spaceId };
  const waiting = async () =>
    (await world.as('admin').call(listJobs, { params: { organizationId: world.org }, query: {} })).items.map(
      ({ id, state }) => [id, state],
    );
  const state = () =>
    world.core.store.read(async (view) => {
      const space = (await view.get(spaceRows, desk.spaceId))!;
      return { words: space.words, links: (await view.get(revisions, space.revision))?.links };
    });
  const [start = ''] = (
    await desk.publish(page('Start', { document: { markdown: 'See [it](/pages/alpha.md).' } }))
  ).pages!.map(({ id }) => id);
  expect(await waiting()).toEqual([]);
  await desk.publish(...['Alpha', 'Beta', 'Gamma', 'Delta', 'Omega'].map(big));
  expect(await waiting()).toEqual([[`index.${desk.spaceId}`, 'waiting']]);
  const write = world.core.store.write.bind(world.core.store);
  let pieces = 0;
  world.core.store.write = async (work) => {
    const result = await write(work);
    if ((await state()).words?.after === undefined || ++pieces !== 1) return result;
    world.core.store.write = write;
    await desk.publish({ operation: 'update_page', page: start, title: 'Late' });
    return result;
  };
  await world.as('owner').work?.({ signal: new AbortController().signal });
  expect(pieces).toBe(1);
  expect(await waiting()).toEqual([]);
  expect(await state()).toEqual({ words: undefined, links: expect.objectContaining({ total: 6 }) });
  const titles = async (query: string) =>
    (await world.as('read').call(spaces.searchSpace, { params, query: { query } })).items.map(
      ({ title }) => title,
    );
  expect([await titles('omegaword'), await titles('late'), await titles('start')]).toEqual([
    ['Omega'],
    ['Late'],
    [],
  ]);
}, 60_000);

it('links of pages are resolved without building the index of links', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const link = { document: { markdown: 'See [a](alpha.md), [b](beta.md#x) and [c](gone.md).' } };
  await desk.publish(page('Start'));
  const made = await desk.publish(
    ...['Alpha', 'Beta', 'Gamma', 'Delta', 'Omega'].map(big),
    page('Reader', link),
  );
  const pageId = made.pages!.find(({ title }) => title === 'Reader')!.id;
  const links = () =>
    world.core.store.read(async (view) => {
      const { revision } = (await view.get(spaceRows, desk.spaceId))!;
      return (await view.get(revisions, revision))?.links;
    });
  const read = async () =>
    (
      await world.as('read').call(getPage, {
        params: { spaceId: desk.spaceId, pageId },
        query: { format: 'document' },
      })
    ).document;
  const before = await read();
  expect(JSON.stringify(before)).toContain('"kind":"anchor"');
  expect(await links()).toBeUndefined();
  await world.as('owner').work?.({ signal: new AbortController().signal });
  expect(await links()).toBeDefined();
  expect(await read()).toEqual(before);
}, 60_000);
