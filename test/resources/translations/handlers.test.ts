import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { translationMemory } from '../../../src/resources/translations/rows.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import {
  createSpace,
  deleteSpace,
  getSpace,
  restoreSpace,
  updateSpace,
} from '../../../src/resources/spaces/contract.ts';
import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  runTranslation,
  updateTranslation,
} from '../../../src/resources/translations/contract.ts';
import { markdownToDocument } from '../../../src/richtext/markdown.ts';
import { createWorld, type World } from '../../support/world.ts';
import { env, frenchOf, helpersOf, page, service } from './support.ts';

let world: World;
const { work, edit, newSpace, params, create, look, run, pagesOf, textsOf } = helpersOf(() => world);
afterEach(() => world.core.store.close());

describe('a translation', () => {
  it('creates a space in the language, beside its source', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
    const api = world.as('admin');
    const { id: collection } = await api.call(createCollection, {
      params: { organizationId: world.org },
      body: { title: 'Docs' },
    });
    const { id: space } = await api.call(createSpace, {
      params: { organizationId: world.org },
      body: { title: 'Guide', emoji: '1f600', parent: collection },
    });
    const file = { name: 'a.txt', base64: Buffer.from('a').toString('base64'), contentType: 'text/plain' };
    await edit(space, [
      page('Start', '# Start\n\nRun `npm i`, see [Next](/pages/x) {{ vars.a }}.\n\n```sh\nnpm i\n```\n', {
        ref: 'start',
        description: 'How to start',
        slug: 'start',
      }),
      page('Next', 'More.', { into: 'start', slug: 'next' }),
      { operation: 'insert_page', type: 'link', title: 'Home', href: 'https://a.test', document: {} },
      { operation: 'insert_files', files: [file] },
    ]);
    const pending = await create(space);
    expect(pending).toMatchObject({
      status: 'pending',
      source: { space, language: 'en' },
      language: 'fr',
      instructions: { nodes: [] },
      permissions: { view: true, edit: true },
    });
    expect(pending).not.toHaveProperty('result');
    expect(violationsOf(getTranslation.returns.schema, pending, '')).toEqual([]);
    await work();
    const done = await look(pending.id);
    expect(violationsOf(getTranslation.returns.schema, done, '')).toEqual([]);
    expect(done).toMatchObject({
      status: 'completed',
      stats: { runs: 1, totalPages: 2, latestPages: 2, totalWords: 10, latestWords: 10, latestKept: 0 },
    });
    expect(done.stats.latestRunDuration).toBeGreaterThan(0);
    const target = await api.call(getSpace, { params: { spaceId: done.result!.space } });
    expect(target).toMatchObject({
      title: 'Guide (French)',
      language: 'fr',
      emoji: '1f600',
      parent: collection,
      revision: done.result!.revision,
    });
    const content = await api.call(getContent, { params: { spaceId: target.id } });
    expect(content.pages).toMatchObject([
      {
        title: '⟦Šţáŕţ ·⟧',
        slug: 'start',
        description: '⟦Ĥóŵ ţó šţáŕţ ···⟧',
        markdown:
          '# ⟦Šţáŕţ ·⟧\n\n⟦Ŕúñ `npm i`, šéé [Ñéẋţ](/pages/x) {{ vars.a }}. ····⟧\n\n```sh\nnpm i\n```\n',
        pages: [{ title: '⟦Ñéẋţ ·⟧', path: 'start/next' }],
      },
      { title: '⟦Ĥóɱé ·⟧', href: 'https://a.test' },
    ]);
    expect(content.files).toMatchObject([{ name: 'a.txt' }]);
  });

  it('follows changes of its source, and sends only new text', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([
      page('One', 'First.\n\nSecond.'),
      page('Two', 'Third.'),
      page('Three', 'Fourth.'),
    ]);
    const { id } = await create(space);
    await work();
    expect(deepl.sent.sort()).toEqual(['First.', 'Fourth.', 'One', 'Second.', 'Third.', 'Three', 'Two']);
    const [one, two, three] = await pagesOf(space);
    deepl.sent.length = 0;
    await edit(space, [
      { operation: 'update_page', page: one!.id, document: { markdown: 'First.\n\nOther.' } },
    ]);
    expect((await look(id)).status).toBe('pending');
    await work();
    expect(deepl.sent).toEqual(['Other.']);
    expect((await look(id)).stats).toMatchObject({
      runs: 2,
      latestPages: 1,
      latestWords: 1,
      totalPages: 3,
      totalWords: 8,
    });
    await edit(space, [
      { operation: 'delete_page', page: two!.id },
      { operation: 'update_page', page: three!.id, into: one!.id, slug: 'moved' },
      page('Four', 'First.'),
    ]);
    await work();
    expect(deepl.sent).toEqual(['Other.', 'Four']);
    const { result } = await look(id);
    expect(await pagesOf(result!.space)).toMatchObject([
      {
        title: 'fr(One)',
        markdown: 'fr(First.)\n\nfr(Other.)',
        pages: [{ title: 'fr(Three)', path: 'one/moved' }],
      },
      { title: 'fr(Four)', markdown: 'fr(First.)' },
    ]);
    await run(id);
    await work();
    expect(deepl.sent).toEqual(['Other.', 'Four']);
    expect(await look(id)).toMatchObject({
      result,
      stats: { runs: 4, latestPages: 0, latestWords: 0, totalPages: 4 },
    });
  });

  it.each([1, 2, 3])('sends no text twice if killed at request %i', async (killedAt) => {
    const texts = Array.from(
      { length: 120 },
      (_, index) => `Text number ${createHash('md5').update(String(index)).digest('hex')}.`,
    );
    const pages = Array.from({ length: 10 }, (_, index) => texts.slice(12 * index, 12 * index + 12));
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace(
      pages.map((each, index) => page('Page', each.join('\n\n'), { slug: `p${index}` })),
    );
    const { id } = await create(space);
    const stop = new AbortController();
    let asked = 0;
    // The process dies during a batch: the answers of this batch are lost, those of earlier batches are kept.
    deepl.before = () => {
      if (++asked !== killedAt) return Promise.resolve();
      stop.abort();
      return Promise.reject(new Error('killed'));
    };
    await runDueJobs(world.core, { signal: stop.signal });
    expect(deepl.sent.length).toBeLessThan(121);
    deepl.before = () => Promise.resolve();
    await work();
    expect(deepl.sent.length).toBe(121);
    expect(new Set(deepl.sent).size).toBe(121);
    const { result, stats } = await look(id);
    expect(stats).toMatchObject({ runs: 1, latestPages: 10 });
    expect((await pagesOf(result!.space)).map(({ markdown }) => markdown)).toEqual(
      pages.map((each) => each.map(frenchOf).join('\n\n')),
    );
  });

  it('keeps edits of the target, unless the source changes the same lines', async () => {
    world = await createWorld('memory:', { outgoing: service().outgoing, env });
    const space = await newSpace([page('One', 'First.\n\nSecond.\n\nThird.'), page('Two', 'Fourth.')]);
    const { id } = await create(space);
    await work();
    const { result } = await look(id);
    const target = result!.space;
    const [one, two] = await pagesOf(target);
    await edit(target, [
      {
        operation: 'update_page',
        page: one!.id,
        document: { markdown: 'Premier.\n\nfr(Second.)\n\nTroisième.' },
      },
      { operation: 'update_page', page: two!.id, title: 'Deux' },
      page('Own', 'Ours.'),
    ]);
    await edit(space, [
      { operation: 'update_page', page: one!.id, document: { markdown: 'First.\n\nSecond.\n\nOther.' } },
    ]);
    await work();
    expect(await textsOf(target)).toEqual([
      ['fr(One)', 'Premier.\n\nfr(Second.)\n\nfr(Other.)'],
      ['Deux', 'fr(Fourth.)'],
      ['Own', 'Ours.'],
    ]);
    await run(id);
    await work();
    expect((await textsOf(target))[0]).toEqual(['fr(One)', 'Premier.\n\nfr(Second.)\n\nfr(Other.)']);
    const space2 = await world.as('admin').call(getSpace, { params: { spaceId: target } });
    expect((await look(id)).result).toEqual({ space: target, revision: space2.revision });
  });

  it('uses the latest source and instructions if they change during a run', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'First word.')]);
    const { id } = await create(space);
    const [{ id: one } = { id: '' }] = await pagesOf(space);
    deepl.before = async () => {
      deepl.before = () => Promise.resolve();
      await edit(space, [{ operation: 'update_page', page: one, document: { markdown: 'Second word.' } }]);
      await world.as('admin').call(updateTranslation, {
        params: params(id),
        body: { instructions: markdownToDocument('* word: mot') },
      });
    };
    await work();
    const done = await look(id);
    expect(done.status).toBe('completed');
    expect(await textsOf(done.result!.space)).toEqual([['fr(One)', 'fr(Second mot.)']]);
  });

  it('uses a glossary, and translates the affected texts again when it changes', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'A change request of GitBook. Change requests too.')]);
    const instructions = markdownToDocument(
      'Be formal.\n\n* change request: demande\n\nDo not translate: GitBook',
    );
    const { id } = await create(space, { instructions });
    await work();
    expect(deepl.sent).toContain('A <x id="1"/> of <x id="2"/>. Change requests too.');
    const target = (await look(id)).result!.space;
    expect((await textsOf(target))[0]![1]).toBe('fr(A demande of GitBook. Change requests too.)');
    const before = deepl.sent.length;
    const put = (text: string) =>
      world
        .as('admin')
        .call(updateTranslation, { params: params(id), body: { instructions: markdownToDocument(text) } });
    expect(await put('* change request: modification')).toMatchObject({ status: 'pending' });
    await work();
    expect((await textsOf(target))[0]![1]).toBe('fr(A modification of GitBook. Change requests too.)');
    expect(deepl.sent.length).toBe(before + 2);
    // The memory of the old glossary is deleted: only two segments and the page are left.
    const rows = await world.core.store.read(async (view) =>
      view.find(translationMemory, { index: 'byTranslation', equals: [id], limit: 100 }),
    );
    expect(rows.length).toBe(3);
    expect(await put('* change request: modification')).toMatchObject({ status: 'completed' });
  });

  it('keeps the source text if no answer is valid, counts it, and tries again on request', async () => {
    let isGood = false;
    const deepl = service((text) => (isGood || !text.includes('<x') ? frenchOf(text) : 'all marks lost'));
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'Run `npm i` now.\n\nPlain.')]);
    const { id } = await create(space);
    await work();
    const { result, stats } = await look(id);
    expect(stats.latestKept).toBe(1);
    expect(deepl.sent.filter((text) => text.includes('<x'))).toHaveLength(2);
    expect((await textsOf(result!.space))[0]![1]).toBe('Run `npm i` now.\n\nfr(Plain.)');
    const [one] = await pagesOf(space);
    await edit(space, [{ operation: 'update_page', page: one!.id, title: 'Uno' }]);
    await work();
    expect(deepl.sent.filter((text) => text.includes('<x'))).toHaveLength(2);
    isGood = true;
    await run(id);
    await work();
    expect((await look(id)).stats.latestKept).toBe(0);
    expect((await textsOf(result!.space))[0]![1]).toBe('fr(Run `npm i` now.)\n\nfr(Plain.)');
  });

  it('waits if the service is rate-limited, and reports a permanent failure', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    deepl.status = 429;
    await work();
    expect(await look(id)).toMatchObject({ status: 'running' });
    world.pass(3_600_000);
    deepl.status = 403;
    await work();
    const failed = await look(id);
    expect(failed).toMatchObject({
      status: 'pending',
      problem: {
        reason: 'unauthenticated',
        message: 'Page "One": DeepL answered 403: API key rejected.',
      },
    });
    expect(JSON.stringify(failed)).not.toContain('secret-key');
    expect(await world.as('read').call(getTranslation, { params: params(id) })).not.toHaveProperty('problem');
    deepl.status = 200;
    await run(id);
    await work();
    const done = await look(id);
    expect(done).toMatchObject({ status: 'completed', stats: { runs: 1 } });
    expect(done).not.toHaveProperty('problem');
  });

  it('stops if its target is deleted, and creates a new one on request', async () => {
    const deepl = service();
    world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
    const api = world.as('admin');
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    await work();
    const { result } = await look(id);
    await api.call(deleteSpace, { params: { spaceId: result!.space } });
    expect(await look(id)).not.toHaveProperty('result');
    await edit(space, [page('Two', 'Second.')]);
    await work();
    expect((await look(id)).status).toBe('completed');
    expect(deepl.sent).not.toContain('Second.');
    await api.call(restoreSpace, { params: { spaceId: result!.space } });
    await run(id);
    await work();
    expect((await look(id)).result?.space).toBe(result!.space);
    await api.call(deleteSpace, { params: { spaceId: result!.space } });
    const before = deepl.sent.length;
    await run(id);
    await work();
    const again = await look(id);
    expect(again.result!.space).not.toBe(result!.space);
    expect(await textsOf(again.result!.space)).toEqual([
      ['fr(One)', 'fr(First.)'],
      ['fr(Two)', 'fr(Second.)'],
    ]);
    expect(deepl.sent.length).toBe(before);
    await api.call(deleteSpace, { params: { spaceId: space } });
    await expect(run(id)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('does not write into a locked target', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    await work();
    const { result } = await look(id);
    await world
      .as('admin')
      .call(updateSpace, { params: { spaceId: result!.space }, body: { editMode: 'locked' } });
    await edit(space, [page('Two', 'Second.')]);
    await work();
    expect(await look(id)).toMatchObject({ status: 'pending', problem: { reason: 'conflict' }, result });
  });

  it('is deleted with its memory, but the target is kept', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
    const space = await newSpace([page('One', 'First.')]);
    const { id } = await create(space);
    await work();
    const { result } = await look(id);
    await world.as('admin').call(deleteTranslation, { params: params(id) });
    await expect(look(id)).rejects.toMatchObject({ reason: 'not-found' });
    await expect(world.as('admin').call(deleteTranslation, { params: params(id) })).rejects.toMatchObject({
      reason: 'not-found',
    });
    await work();
    const left = await world.core.store.read(async (view) => {
      return [
        await view.get(jobs, `translation.${id}`),
        await view.count(translationMemory, 'byTranslation', [id]),
      ];
    });
    expect(left).toEqual([undefined, 0]);
    expect(await textsOf(result!.space)).toEqual([['⟦Óñé⟧', '⟦Ƒíŕšţ. ·⟧']]);
    // A new translation for the same source and language can be created.
    await create(space);
  });

  it('is refused for invalid languages, missing spaces and missing permissions', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
    const space = await newSpace([]);
    const { id } = await create(space);
    await expect(create(space)).rejects.toMatchObject({ reason: 'conflict' });
    await expect(create(space, { language: 'en' })).rejects.toMatchObject({
      reason: 'invalid-input',
      status: 400,
    });
    await expect(create(space, { language: 'tlh' })).rejects.toMatchObject({ reason: 'invalid-input' });
    await expect(create('spc_none')).rejects.toMatchObject({ reason: 'not-found' });
    const foreign = await world
      .as('outsider')
      .call(createSpace, { params: { organizationId: world.otherOrg }, body: {} });
    await expect(create(foreign.id)).rejects.toMatchObject({ reason: 'not-found' });
    const body = { source: { space, language: 'en' }, language: 'de' };
    for (const who of ['review', 'read', 'guest'] as const)
      await expect(
        world.as(who).call(createTranslation, { params: { organizationId: world.org }, body }),
      ).rejects.toMatchObject({ reason: 'forbidden' });
    await world.as('create').call(createTranslation, { params: { organizationId: world.org }, body });
    await expect(world.as('outsider').call(getTranslation, { params: params(id) })).rejects.toMatchObject({
      reason: 'not-found',
    });
    await expect(
      world
        .as('outsider')
        .call(getTranslation, { params: { organizationId: world.otherOrg, translationId: id } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    expect(await world.as('read').call(getTranslation, { params: params(id) })).toMatchObject({
      permissions: { view: true, edit: false },
    });
    const list = await world.as('read').call(listTranslations, { params: { organizationId: world.org } });
    expect(list.items.map(({ language }) => language)).toEqual(['fr', 'de']);
    await expect(
      world.as('admin').call(runTranslation, { params: params('tra_none') }),
    ).rejects.toMatchObject({ reason: 'not-found', status: 404 });
  });
});
