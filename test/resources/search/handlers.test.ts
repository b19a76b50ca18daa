import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import * as requests from '../../../src/resources/change-requests/contract.ts';
import * as requestContent from '../../../src/resources/content/change-request/contract.ts';
import * as search from '../../../src/resources/search/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../content-support.ts';
import { sections } from '../../../src/content/rows.ts';
import { spaces as spaceRows } from '../../../src/core/rows/spaces.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const written = (title: string, markdown: string, more: object = {}) =>
  page(title, { document: { markdown }, ...more });
const group = (title: string) => page(title, { type: 'group', document: {} });
const inSpace = (query: string, more: object = {}, who: Who = 'read') =>
  world.as(who).call(spaces.searchSpace, { params: { spaceId: desk.spaceId }, query: { query, ...more } });
const everywhere = (query: string, more: object = {}, who: Who = 'read') =>
  world
    .as(who)
    .call(search.searchOrganization, { params: { organizationId: world.org }, query: { query, ...more } });
const titles = async (query: string) => (await inSpace(query)).items.map(({ title }) => title);
const idOf = async (title: string) =>
  (await desk.pages()).flatMap((one) => [one, ...(one.pages ?? [])]).find((one) => one.title === title)!.id;

describe('the search in a space', () => {
  it('returns pages with their matching sections, ancestors and URLs', async () => {
    await desk.publish(group('Guides'));
    const parent = await idOf('Guides');
    await desk.publish(
      written(
        'Installing',
        '# Installing\n\nBefore you start.\n\n## With a package\n\nUse the **package** `docs-ctl`.\n\n## Other\n\nNothing here.\n',
        { into: parent },
      ),
    );
    const answer = await inSpace('package');
    expect(violationsOf(spaces.searchSpace.returns.schema, answer, '')).toEqual([]);
    const [found] = answer.items;
    expect(answer).toEqual({
      count: 1,
      items: [
        {
          id: await idOf('Installing'),
          title: 'Installing',
          path: 'guides/installing',
          sections: [
            {
              id: `${desk.spaceId}.${found!.id}.1`,
              title: 'With a package',
              path: 'guides/installing#with-a-package',
              body: 'Use the package docs-ctl.',
              urls: {
                app: `http://localhost:8080/o/org_acme/s/${desk.spaceId}/guides/installing#with-a-package`,
              },
            },
          ],
          ancestors: [{ title: 'Guides' }],
          urls: { app: `http://localhost:8080/o/org_acme/s/${desk.spaceId}/guides/installing` },
        },
      ],
    });
  });

  it('ranks the page whose title equals the query first, with a text excerpt', async () => {
    await desk.publish(
      written('[Alpha] Feature View', '## Feature view\n\nA feature view, feature view, feature view.'),
      written('Views of a feature', '## Feature view\n\nA feature view.'),
      written(
        'Feature view',
        'Some words.\n\n## A feature view\n\n## Other\n\nMany other words that are not it.',
      ),
    );
    for (const query of ['feature view', 'FEATURE-VIEW', 'Feature, view!']) {
      const listed = await inSpace(query);
      expect(listed.items.map(({ title }) => title)[0]).toBe('Feature view');
      expect(listed.items[0]?.sections.some(({ body }) => body !== '')).toBe(true);
      const first = await inSpace(query, { limit: 1 });
      const second = await inSpace(query, { limit: 2, page: first.next?.page });
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(listed.items.map(({ id }) => id));
      expect((await everywhere(query)).items[0]?.pages[0]?.title).toBe('Feature view');
    }
  });

  it('ranks matches in page titles above headings, and headings above text', async () => {
    const filling = Array.from({ length: 6 }, (_, at) => written(`Page ${at}`, 'Something else.'));
    await desk.publish(
      ...filling,
      written('In the text', 'About quota and other things.'),
      written('Quota', 'About other things and more.'),
      written('In a heading', '## Quota\n\nAbout other things.'),
    );
    expect(await titles('quota')).toEqual(['Quota', 'In a heading', 'In the text']);
  });

  it('finds words in scripts without spaces, with accents and in code', async () => {
    await desk.publish(
      written('資料型別', 'PostgreSQL 擁有豐富的資料型別。\n\n## 數值型別\n\n整數與浮點數。'),
      written('Réglages', 'Le fichier `feature_store.yaml` est à créer.'),
      written(
        'Code',
        '```js\nconst user = getUserById(1);\n```\n\n<!-- a secret note -->\n\n[link text](https://hidden.example/target)',
      ),
    );
    expect(await titles('浮點')).toEqual(['資料型別']);
    expect((await inSpace('數值')).items[0]!.sections.map(({ path }) => path)).toEqual(['資料型別#數值型別']);
    expect(await titles('reglages')).toEqual(['Réglages']);
    expect(await titles('feature_store.yaml')).toEqual(['Réglages']);
    expect(await titles('getUserById')).toEqual(['Code']);
    expect(await titles('"link text"')).toEqual(['Code']);
    for (const query of ['secret', 'hidden.example', '😀', '"']) expect(await titles(query)).toEqual([]);
  });

  it('finds pages without text, hidden pages and descriptions, but not groups and links', async () => {
    await desk.publish(
      written('Emptiness', ''),
      written('Hidden away', 'Emptiness too', { hidden: true }),
      written('Described', 'Text.', { description: 'About an emptiness' }),
      group('Emptiness group'),
    );
    expect((await titles('emptiness')).sort()).toEqual(['Described', 'Emptiness', 'Hidden away']);
    expect(
      (await inSpace('emptiness')).items.find(({ title }) => title === 'Emptiness')!.sections,
    ).toMatchObject([{ title: 'Emptiness', path: 'emptiness', body: '' }]);
  });

  it('is updated when pages are changed and deleted', async () => {
    await desk.publish(written('First', 'Some text.\n\n## Part\n\nMore text.'));
    const id = await idOf('First');
    expect(await titles('more')).toEqual(['First']);
    await desk.publish({ operation: 'update_page', page: id, title: 'Second' } as never);
    expect(await titles('first')).toEqual([]);
    expect(await titles('second')).toEqual(['Second']);
    await desk.publish({
      operation: 'update_page',
      page: id,
      document: { markdown: 'Other words.' },
    } as never);
    expect(await titles('more')).toEqual([]);
    expect(await titles('words')).toEqual(['Second']);
    expect(await world.core.store.read((view) => view.count(sections, 'bySpace', [desk.spaceId]))).toBe(1);
    await desk.publish({ operation: 'delete_page', page: id } as never);
    expect(await titles('words')).toEqual([]);
  });

  it('finds included texts and values of expressions, also after these change', async () => {
    const put = (role: string, path: string, text: string) =>
      ({ operation: 'put_text', role, git: { path: `.gitbook/${path}` }, text }) as never;
    const value = '<code class="expression">space.vars.engine</code>';
    const own = '<code class="expression">visitor.claims.name</code>';
    await desk.publish(
      put('include', 'includes/outer.md', 'Mentions walrus.\n\n{% include "inner.md" %}\n'),
      put('include', 'includes/inner.md', '## Deeper\n\nMentions otter.\n'),
      put('variables', 'vars.yaml', 'engine: turbo_prop\n'),
      written('Including', `Before ${own}.\n\n{% include ".gitbook/includes/outer.md" %}\n`),
      written('Valued', `Runs on ${value}.\n\n{% if space.vars.engine == "x" %}\nNever\n{% endif %}\n`),
      written('Plain', 'Nothing.'),
    );
    expect([await titles('walrus'), await titles('otter')]).toEqual([['Including'], ['Including']]);
    expect([await titles('turbo_prop'), await titles('never')]).toEqual([['Valued'], []]);
    expect((await inSpace('otter')).items[0]!.sections).toMatchObject([
      { title: 'Deeper', body: 'Mentions otter.' },
    ]);
    await desk.publish(
      put('include', 'includes/inner.md', 'Mentions badger.\n'),
      put('variables', 'vars.yaml', 'engine: x\n'),
    );
    expect([await titles('otter'), await titles('badger')]).toEqual([[], ['Including']]);
    expect([await titles('turbo_prop'), await titles('never')]).toEqual([[], ['Valued']]);
    await desk.publish({ operation: 'update_page', page: await idOf('Plain'), title: 'Plainer' } as never);
    expect([await titles('badger'), await titles('nothing')]).toEqual([['Including'], ['Plainer']]);
  });

  it('indexes pages again that an earlier version indexed, once', async () => {
    await desk.publish(written('First', 'Some text.'), written('Gone', 'Some text.'));
    await desk.publish({ operation: 'delete_page', page: await idOf('Gone') } as never);
    const [first] = await world.core.store.read((view) =>
      view.find(sections, { index: 'bySpace', equals: [desk.spaceId], limit: 10 }),
    );
    const plant = (text: string) =>
      world.core.store.write(async (tx) => tx.update(sections, first!.id, { body: `Some text. ${text}` }));
    await plant('logo.png');
    expect(await titles('logo.png')).toEqual(['First']);
    // Earlier versions indexed the names of files with the texts, and did not store their index version.
    await world.core.store.write((tx) =>
      tx.update(spaceRows, desk.spaceId, { wordsVersion: undefined } as never),
    );
    expect([await titles('logo.png'), await titles('text')]).toEqual([[], ['First']]);
    await plant('again.png');
    expect([await titles('again.png'), (await everywhere('text')).items.length]).toEqual([['First'], 1]);
    // After a large change, the stale index is first brought up to date.
    await world.core.store.write((tx) =>
      tx.update(spaceRows, desk.spaceId, { wordsVersion: undefined, words: { at: null } } as never),
    );
    await desk.publish(written('Second', 'Some text.'));
    expect([await titles('again.png'), (await titles('text')).sort()]).toEqual([[], ['First', 'Second']]);
  });

  it('indexes the notes of other tools again if an earlier version indexed them as text', async () => {
    await desk.publish(written('First', ':::note\nSome text.\n:::'));
    const [first] = await world.core.store.read((view) =>
      view.find(sections, { index: 'bySpace', equals: [desk.spaceId], limit: 10 }),
    );
    await world.core.store.write(async (tx) => {
      await tx.update(sections, first!.id, { body: ':::note Some text. :::' });
      await tx.update(spaceRows, desk.spaceId, { wordsVersion: 1 });
    });
    expect((await inSpace('text')).items[0]!.sections).toMatchObject([{ body: 'Some text.' }]);
  });

  it('finds nothing of a change request before the merge', async () => {
    const { number } = await desk.createRequest();
    await desk.edit(number, [written('Draft', 'Upcoming words.')]);
    expect(await titles('upcoming')).toEqual([]);
    await desk.merge(number);
    expect(await titles('upcoming')).toEqual(['Draft']);
  });

  it('returns every page exactly once over all pages of the list', async () => {
    await desk.publish(
      ...Array.from({ length: 7 }, (_, at) =>
        written(`Page ${at}`, `${'word '.repeat(at + 1)}\n\n## Word\n\nAnd more.`),
      ),
    );
    const whole = await inSpace('word');
    const paged: string[] = [];
    let next: string | undefined;
    do {
      const answer = await inSpace('word', { limit: 3, ...(next === undefined ? {} : { page: next }) });
      expect(answer.count).toBe(7);
      paged.push(...answer.items.map(({ id }) => id));
      next = answer.next?.page;
    } while (next !== undefined);
    expect(paged).toEqual(whole.items.map(({ id }) => id));
    expect(await reason(inSpace('word', { page: 'nowhere' }))).toBe('invalid-input');
  });

  it('returns an excerpt around the words, and only sections that match', async () => {
    const text = `${'Filling text. '.repeat(100)}Here the needle and the thread are. ${'Filling text. '.repeat(100)}`;
    await desk.publish(written('Long', `needle alone first\n\n## Body\n\n${text}\n\n## Other\n\nNothing.`));
    const [found] = (await inSpace('needle thread')).items;
    expect(found!.sections).toHaveLength(1);
    const { body } = found!.sections[0]!;
    expect(body).toMatch(/^….*the needle and the thread are\..*…$/);
    expect(body.length).toBeLessThanOrEqual(300);
    expect((await inSpace('long')).items[0]!.sections).toHaveLength(1);
  });

  it('finds nothing while the space is deleted, and finds the pages again after it is restored', async () => {
    await desk.publish(written('Kept', 'Some words.'));
    await world.as('admin').call(spaces.deleteSpace, { params: { spaceId: desk.spaceId } });
    expect(await reason(inSpace('words'))).toBe('not-found');
    expect((await everywhere('words')).items).toEqual([]);
    await world.as('admin').call(spaces.restoreSpace, { params: { spaceId: desk.spaceId } });
    expect(await titles('words')).toEqual(['Kept']);
    expect((await everywhere('words')).items).toHaveLength(1);
    const copy = await world.as('admin').call(spaces.duplicateSpace, { params: { spaceId: desk.spaceId } });
    expect((await everywhere('words')).items.map(({ id }) => id).sort()).toEqual(
      [desk.spaceId, copy.id].sort(),
    );
  });

  it('is allowed for members who can read the space', async () => {
    await desk.publish(written('Kept', 'Some words.'));
    expect(await reason(inSpace('words', {}, 'read'))).toBe('done');
    expect(await reason(inSpace('words', {}, 'guest'))).toBe('not-found');
    expect(await reason(inSpace('words', {}, 'outsider'))).toBe('not-found');
    expect(await reason(inSpace('words', {}, 'nobody'))).toBe('unauthenticated');
    for (const query of ['', 'x'.repeat(513)]) expect(await reason(inSpace(query))).toBe('invalid-input');
    for (const query of ['"', 'NEAR(', 'a AND', '-x', 'title:x', '*', '"'.repeat(512)])
      expect(await reason(inSpace(query))).toBe('done');
  });
});

describe('the search in an organization', () => {
  const spaceWith = async (
    title: string,
    organization: string,
    who: Who,
    ...contents: ReturnType<typeof page>[]
  ) => {
    const { id } = await world
      .as(who)
      .call(spaces.createSpace, { params: { organizationId: organization }, body: { title } });
    await publishInto(id, who, contents);
    return id;
  };
  const publishInto = async (spaceId: string, who: Who, changes: ReturnType<typeof page>[]) => {
    const { number } = await world
      .as(who)
      .call(requests.createChangeRequest, { params: { spaceId }, body: {} });
    const params = { spaceId, changeRequestId: String(number) };
    await world
      .as(who)
      .call(requestContent.updateContent, { params, query: { compat: false }, body: { changes } });
    await world.as(who).call(requests.mergeChangeRequest, { params });
  };

  it('lists spaces with their best pages, the best space first, and none of another organization', async () => {
    await desk.publish(
      ...Array.from({ length: 12 }, (_, at) => written(`Guide ${at}`, 'All about tokens here.')),
    );
    const best = await spaceWith(
      'Reference',
      world.org,
      'admin',
      written('Tokens', 'All about them.'),
      written('Else', 'Nothing.'),
    );
    await spaceWith('Foreign', world.otherOrg, 'outsider', written('Tokens', 'tokens'));
    const answer = await everywhere('tokens');
    expect(violationsOf(search.searchOrganization.returns.schema, answer, '')).toEqual([]);
    expect(answer.items.map(({ id, title, pages }) => [id, title, pages.length])).toEqual([
      [best, 'Reference', 1],
      [desk.spaceId, 'Guide', 10],
    ]);
    const first = await everywhere('tokens', { limit: 1 });
    expect(first.items.map(({ id }) => id)).toEqual([best]);
    expect(
      (await everywhere('tokens', { limit: 1, page: first.next!.page })).items.map(({ id }) => id),
    ).toEqual([desk.spaceId]);
    expect((await everywhere('nowhere')).items).toEqual([]);
  });

  it('returns nothing to guests and is not found by outsiders', async () => {
    await desk.publish(written('Kept', 'Some words.'));
    expect((await everywhere('words', {}, 'guest')).items).toEqual([]);
    expect(await reason(everywhere('words', {}, 'outsider'))).toBe('not-found');
    expect((await everywhere('words', {}, 'read')).items).toHaveLength(1);
  });

  it('omits spaces that were purged', async () => {
    await desk.publish(written('Kept', 'Some words.'));
    await world.as('admin').call(spaces.deleteSpace, { params: { spaceId: desk.spaceId } });
    world.pass(8 * 24 * 60 * 60 * 1000);
    await runDueJobs(world.core, { kind: 'removal', signal: new AbortController().signal });
    expect(await world.core.store.read((view) => view.count(sections, 'bySpace', [desk.spaceId]))).toBe(0);
  });
});
