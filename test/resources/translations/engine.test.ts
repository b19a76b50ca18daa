import { afterEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { createTranslation, getTranslation } from '../../../src/resources/translations/contract.ts';
import { listJobs } from '../../../src/resources/jobs/contract.ts';
import { updateOrganization } from '../../../src/resources/organizations/contract.ts';
import {
  deleteSpace,
  getSpace,
  listSpaces,
  restoreSpace,
  updateSpace,
} from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { env, frenchOf, helpersOf, page, service } from './support.ts';

let world: World;
const { work, edit, newSpace, create, look, run, pagesOf, textsOf, params } = helpersOf(() => world);
afterEach(() => world.core.store.close());

/** Returns a text of 50 segments, which is one batch, with the name of the page in each. */
const long = (name: string) =>
  Array.from(
    { length: 49 },
    (_, index) =>
      `${name} ${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${'abcdefghijklmnopqrstuvwxyz'[Math.floor(index / 26)]}.`,
  ).join('\n\n');

it('a translation is hidden from members who cannot open its source', async () => {
  world = await createWorld('memory:', { outgoing: service().outgoing, env });
  const spaceId = await newSpace([page('One', 'First.')]);
  const body = { role: null, users: [world.user('edit')] };
  await world.as('admin').call(setPermissions, { params: { spaceId }, body });
  const { id } = await create(spaceId);
  await work();
  const target = { params: { spaceId: (await look(id)).result?.space ?? '' } };
  await expect(world.as('edit').call(getSpace, target)).rejects.toMatchObject({ reason: 'not-found' });
  expect(await world.as('read').call(getSpace, target)).toMatchObject({ title: 'Guide (French)' });
});

describe('an organization with AI features off', () => {
  const setAi = (ai: boolean) =>
    world.as('admin').call(updateOrganization, { params: { organizationId: world.org }, body: { ai } });

  it('sends no text to a service, reports why, and continues when they are on', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    await setAi(false);
    const { id } = await create(await newSpace([page('One', 'First.')]));
    await work();
    expect(deepl.sent).toEqual([]);
    const refused = await look(id);
    expect(refused).toMatchObject({
      status: 'pending',
      problem: {
        reason: 'precondition-failed',
        message: expect.stringMatching(/^AI features are off in this organization/),
        hint: `To turn them on, run \`docsctl orgs update ${world.org} --ai\`.`,
      },
    });
    expect(refused).not.toHaveProperty('result');
    await setAi(true);
    await run(id);
    await work();
    expect(await look(id)).toMatchObject({ status: 'completed', stats: { runs: 1 } });
  });

  it('stops a run that has started', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const { id } = await create(
      await newSpace(['One', 'Two', 'Three'].map((name) => page(name, long(name)))),
    );
    let requests = 0;
    deepl.before = async () => {
      requests++;
      await setAi(false);
    };
    await work();
    // Batches that were sent at the same time are not canceled.
    const sent = requests;
    expect(sent).toBeLessThanOrEqual(4);
    expect(await look(id)).toMatchObject({ status: 'pending', problem: { reason: 'precondition-failed' } });
    await run(id);
    await work();
    expect(requests).toBe(sent);
  });

  it('can use pseudo-localization, which sends nothing', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
    await setAi(false);
    const { id } = await create(await newSpace([page('One', 'First.')]));
    await work();
    expect(await look(id)).toMatchObject({ status: 'completed' });
  });
});

describe('a translation without a service', () => {
  it.each([{}, { DOCSCTL_TRANSLATION: '' }])(
    'publishes nothing and names the variable to set (%o)',
    async (none) => {
      world = await createWorld('memory:', { env: none });
      const { id } = await create(await newSpace([page('One', 'First.')]));
      await work();
      const refused = await look(id);
      expect(refused).toMatchObject({
        status: 'pending',
        problem: {
          reason: 'precondition-failed',
          message: 'No translation service is configured: DOCSCTL_TRANSLATION is not set.',
          hint: expect.stringContaining('Set DOCSCTL_TRANSLATION to openai, deepl or libretranslate'),
        },
      });
      expect(refused).not.toHaveProperty('result');
      const { items } = await world.as('admin').call(listSpaces, { params: { organizationId: world.org } });
      expect(items.map(({ title }) => title)).toEqual(['Guide']);
    },
  );
});

describe('a service that fails', () => {
  it.each([
    [429, 'rate-limited', /^Page "One": DeepL answered 429: too many requests\.$/],
    [456, 'rate-limited', /^Page "One": DeepL answered 456: the quota of the key is used up\.$/],
    [503, 'unreachable', /^Page "One": DeepL answered 503\.$/],
  ])(
    'temporarily with %i is retried, and the translation has the problem',
    async (status, reason, message) => {
      const deepl = service();
      world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
      const { id } = await create(await newSpace([page('One', 'First.')]));
      deepl.status = status;
      await work();
      const waiting = await look(id);
      expect(waiting).toMatchObject({
        status: 'running',
        problem: { reason, message: expect.stringMatching(message) },
      });
      expect(JSON.stringify(waiting)).not.toContain('secret-key');
      expect(await world.as('read').call(getTranslation, { params: params(id) })).not.toHaveProperty(
        'problem',
      );
      deepl.status = 200;
      world.pass(3_600_000);
      await work();
      expect(await look(id)).toMatchObject({ status: 'completed', stats: { runs: 1 } });
      expect(await look(id)).not.toHaveProperty('problem');
    },
  );

  it('permanently is reported for a page, and the texts of finished batches are kept', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const { id } = await create(
      await newSpace(['One', 'Two', 'Three'].map((name) => page(name, long(name)))),
    );
    let asked = 0;
    deepl.before = () => {
      deepl.status = ++asked < 3 ? 200 : 400;
      return Promise.resolve();
    };
    await work();
    const { problem, status } = await look(id);
    expect([status, problem?.reason, problem?.message]).toEqual([
      'pending',
      'precondition-failed',
      expect.stringMatching(/^Page "(One|Two|Three)": DeepL answered 400/),
    ]);
    expect(deepl.sent).toHaveLength(100);
    deepl.before = () => Promise.resolve();
    deepl.status = 200;
    await run(id);
    await work();
    expect((await look(id)).status).toBe('completed');
    expect(new Set(deepl.sent).size).toBe(deepl.sent.length);
    expect(deepl.sent).toHaveLength(150);
  });

  it('for every second request does not keep the translation from finishing', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    // There is a batch for each 20 pages, and every second request fails.
    const pages = Array.from({ length: 200 }, (_, index) => page(`Page ${index}`, `Text ${index}.`));
    const { id } = await create(await newSpace(pages));
    let asked = 0;
    deepl.before = () => {
      deepl.status = asked++ % 2 === 0 ? 200 : 429;
      return Promise.resolve();
    };
    for (let turn = 0; turn < 11; turn++) {
      await work();
      world.pass(10_000);
    }
    expect(await look(id)).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 200 } });
    expect(asked).toBe(19);
    expect(new Set(deepl.sent).size).toBe(deepl.sent.length);
  }, 60_000);

  it.each([
    ['60', 60],
    ['1', 5],
    ['7200', 3600],
  ])('with a retry-after of %s is asked again after %i seconds', async (retryAfter, seconds) => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    deepl.headers = { 'retry-after': retryAfter };
    // Two batches.
    const pages = Array.from({ length: 40 }, (_, index) => page(`Page ${index}`, `Text ${index}.`));
    const { id } = await create(await newSpace(pages));
    let asked = 0;
    deepl.before = () => {
      deepl.status = ++asked === 2 ? 429 : 200;
      return Promise.resolve();
    };
    await work();
    const { problem } = await look(id);
    const { items } = await world.as('admin').call(listJobs, { params: { organizationId: world.org } });
    const { dueAt = '' } = items.find(({ subject }) => subject === id) ?? {};
    expect(Date.parse(dueAt) - Date.parse(problem?.at ?? '')).toBe(seconds * 1000);
  });

  it('to keep a title or description short gets it cut to its maximum length', async () => {
    // The text of each field contains the length of its translation.
    const deepl = service((text) => 'x'.repeat(Number(/\d+$/.exec(text)?.[0] ?? 1)));
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const { id } = await create(
      await newSpace([
        page('Exact 255', 'a', { description: 'Exact 1000' }),
        page('Over 256', 'b', { description: 'Over 1001' }),
      ]),
    );
    await work();
    const { result } = await look(id);
    expect(await pagesOf(result?.space ?? '')).toMatchObject([
      { title: 'x'.repeat(255), description: 'x'.repeat(1000) },
      { title: `${'x'.repeat(254)}…`, description: `${'x'.repeat(999)}…` },
    ]);
  });

  it('without any progress eight times makes the translation give up', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const { id } = await create(await newSpace([page('One', 'First.')]));
    deepl.status = 503;
    for (let turn = 0; turn < 8; turn++) {
      await work();
      world.pass(3_600_000);
    }
    expect(await look(id)).toMatchObject({
      status: 'pending',
      problem: { reason: 'unreachable' },
      stats: { runs: 0 },
    });
  });

  it('to change a text is not counted as a failure', async () => {
    world = await createWorld('memory:', { outgoing: service((text) => text).outgoing, env });
    const { id } = await create(await newSpace([page('One', 'First `a`.')]));
    await work();
    const { result, stats } = await look(id);
    expect(stats.latestKept).toBe(0);
    expect(await textsOf(result!.space)).toEqual([['One', 'First `a`.']]);
  });
});

describe('spaces that change during a translation', () => {
  it('a locked target is written by a new run after unlocking, and nothing is sent again', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    await work();
    const target = (await look(id)).result!.space;
    const lock = (editMode: 'locked' | 'live') =>
      world.as('admin').call(updateSpace, { params: { spaceId: target }, body: { editMode } });
    await lock('locked');
    await edit(space, [page('Two', 'Second.')]);
    await work();
    expect((await look(id)).problem).toMatchObject({ reason: 'conflict' });
    const sent = deepl.sent.length;
    await lock('live');
    await run(id);
    await work();
    expect((await look(id)).status).toBe('completed');
    expect((await textsOf(target))[1]).toEqual(['fr(Two)', 'fr(Second.)']);
    expect(deepl.sent).toHaveLength(sent);
  });

  it('pages deleted from the source are deleted from the target, and pages deleted there return on changes', async () => {
    world = await createWorld('memory:', { outgoing: service().outgoing, env });
    const space = await newSpace([page('One', 'First.'), page('Two', 'Second.'), page('Three', 'Third.')]);
    const { id } = await create(space);
    await work();
    const target = (await look(id)).result!.space;
    const [, two, three] = await pagesOf(target);
    await edit(target, [{ operation: 'delete_page', page: two!.id }]);
    await edit(space, [{ operation: 'delete_page', page: three!.id }]);
    await work();
    expect(await textsOf(target)).toEqual([['fr(One)', 'fr(First.)']]);
    await edit(space, [{ operation: 'update_page', page: two!.id, document: { markdown: 'Other.' } }]);
    await work();
    expect(await textsOf(target)).toEqual([
      ['fr(One)', 'fr(First.)'],
      ['fr(Two)', 'fr(Other.)'],
    ]);
  });

  it('manual edits of fields are kept when a run replaces the text of their page', async () => {
    world = await createWorld('memory:', { outgoing: service().outgoing, env });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    await work();
    const target = (await look(id)).result!.space;
    const [one] = await pagesOf(target);
    await edit(target, [{ operation: 'update_page', page: one!.id, title: 'Un' }]);
    await edit(space, [
      { operation: 'update_page', page: one!.id, slug: 'moved', document: { markdown: 'Other.' } },
    ]);
    await work();
    expect(await pagesOf(target)).toMatchObject([{ title: 'Un', slug: 'moved', markdown: 'fr(Other.)' }]);
  });

  it('deleting the source ends the run, and a new run continues after it is restored', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    deepl.before = async () =>
      void (await world.as('admin').call(deleteSpace, { params: { spaceId: space } }));
    await work();
    const ended = await look(id);
    expect([ended.status, ended.result]).toEqual(['completed', undefined]);
    deepl.before = () => Promise.resolve();
    await world.as('admin').call(restoreSpace, { params: { spaceId: space } });
    await run(id);
    await work();
    expect(await textsOf((await look(id)).result!.space)).toEqual([['fr(One)', 'fr(First.)']]);
    expect(deepl.sent).toHaveLength(2);
  });
});

describe('the cost of a run', () => {
  it('depends only on new texts: unchanged pages are not read', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace(
      Array.from({ length: 30 }, (_, index) => page(`Page ${index}`, `Text of ${index}.\n\nMore.`)),
    );
    const { id } = await create(space);
    await work();
    const [one] = await pagesOf(space);
    await edit(space, [{ operation: 'update_page', page: one!.id, document: { markdown: 'Other.' } }]);
    await run(id);
    const { read } = world.core.store;
    const texts = new Set<string>();
    world.core.store.read = (look_) =>
      read.call(world.core.store, (view) =>
        look_({
          ...view,
          get: (table: { name: string }, key: string) => (
            table.name === 'blobs' && texts.add(key),
            view.get(table as never, key)
          ),
          find: view.find.bind(view),
          count: view.count.bind(view),
        }),
      ) as never;
    await work();
    world.core.store.read = read;
    expect(texts.size).toBe(1);
    expect((await look(id)).stats).toMatchObject({ runs: 2, latestPages: 1 });
    expect((await textsOf((await look(id)).result!.space))[0]).toEqual(['fr(Page 0)', frenchOf('Other.')]);
  });

  it('for another language includes sending all texts again', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'First.')]);
    await create(space);
    await work();
    await world.as('admin').call(createTranslation, {
      params: { organizationId: world.org },
      body: { source: { space, language: 'en' }, language: 'de' },
    });
    await work();
    expect(deepl.sent.sort()).toEqual(['First.', 'First.', 'One', 'One']);
  });
});
