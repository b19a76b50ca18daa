import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import type { ApplyEvent } from '../../src/manifest/apply-plan.ts';
import { getSiteStructure, listSites } from '../../src/resources/sites/contract.ts';
import { createSpace, getSpace, listSpaces, updateSpace } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf } from './bench.ts';
import { problemIn } from './read/folder.ts';

const example = `
org:
  settings: { title: Acme, emailDomains: [acme.test], defaultRole: read, ai: true, defaultContent: { site: !ref site.docs } }
teams:
  writers: { title: Writers, members: [edit@acme.test, { email: review@acme.test, role: owner }] }
collections:
  product: { title: Product, defaultLevel: edit }
  archive: { title: Archive, parent: !ref collection.product }
spaces:
  guide:
    title: Guide
    emoji: "📘"
    parent: !ref collection.product
    mergeRules: { require_specific_reviewers: [edit@acme.test] }
  api: { title: API, parent: !ref collection.product, protect: true }
  old: { title: API v1, icon: "https://icons.test/a.png" }
sites:
  docs:
    title: Acme Docs
    basename: acme
    visibility: share-link
    published: true
    groups: { dev: { title: Developers, icon: code }, deep: { title: Deep, parent: dev } }
    sections:
      - { path: guide, space: !ref space.guide, title: Guide, default: true }
      - path: api
        group: deep
        title: API
        condition: visitor.claims.unsigned.plan == "pro"
        siteSpaces:
          - { path: v2, space: !ref space.api, default: true }
          - { path: v1, space: !ref space.old, hidden: true }
  root:
    title: Roots
    siteSpaces:
      - { path: one, space: !ref space.guide }
      - { path: two, space: !ref space.old, title: Two, default: true }
`;

describe('apply', () => {
  it('creates the whole example, and the next plan is empty', async () => {
    const bench = await createBench(example);
    expect(linesOf(await bench.plan())).toMatchInlineSnapshot(`
      [
        "create team.writers title: ⇒ "Writers" members: ⇒ ["edit@acme.test",{"email":"review@acme.test","role":"owner"}]",
        "create collection.product title: ⇒ "Product" defaultLevel: ⇒ "edit"",
        "create collection.archive title: ⇒ "Archive" parent: ⇒ →collection.product",
        "create space.guide title: ⇒ "Guide" emoji: ⇒ "📘" parent: ⇒ →collection.product mergeRules: ⇒ {"require_specific_reviewers":["edit@acme.test"]}",
        "create space.api title: ⇒ "API" parent: ⇒ →collection.product",
        "create space.old title: ⇒ "API v1" icon: ⇒ "https://icons.test/a.png"",
        "create site.docs title: ⇒ "Acme Docs" basename: ⇒ "acme"",
        "update site.docs (last) visibility: ⇒ "share-link" published: ⇒ true",
        "create site.root title: ⇒ "Roots"",
        "create section-group.docs/dev title: ⇒ "Developers" icon: ⇒ "code"",
        "create section-group.docs/deep title: ⇒ "Deep" parent: ⇒ →section-group.docs/dev",
        "create section.docs/guide path: ⇒ "guide" title: ⇒ "Guide" default: ⇒ true",
        "create section.docs/api path: ⇒ "api" title: ⇒ "API" group: ⇒ →section-group.docs/deep condition: ⇒ "visitor.claims.unsigned.plan == \\"pro\\""",
        "create site-space.docs/guide/space space: ⇒ →space.guide",
        "create site-space.docs/api/v2 path: ⇒ "v2" space: ⇒ →space.api default: ⇒ true",
        "create site-space.docs/api/v1 path: ⇒ "v1" space: ⇒ →space.old hidden: ⇒ true",
        "create site-space.root/one path: ⇒ "one" space: ⇒ →space.guide",
        "create site-space.root/two path: ⇒ "two" space: ⇒ →space.old title: ⇒ "Two" default: ⇒ true",
        "update org.settings emailDomains: [] ⇒ ["acme.test"] defaultRole: null ⇒ "read" defaultContent: null ⇒ {"site":{"docsctl:ref":"site.docs"}}",
      ]
    `);
    const result = await bench.bring(example);
    expect(result.counts).toEqual({
      done: result.rows.length,
      waiting: 0,
      failed: 0,
      skipped: 0,
      unsupported: 0,
      stopped: 0,
    });
    bench.forget();
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([]);
    await bench.apply();
    expect(bench.changing).toEqual([]);
  });

  it('creates dependencies first, whatever the order of the file', async () => {
    const bench = await createBench();
    await bench.bring(
      'spaces: { a: { title: A, parent: !ref collection.c } }\ncollections: { c: { title: C, parent: !ref collection.b }, b: { title: B } }',
    );
    expect(
      bench.changing.map(({ operation, input }) => [operation.id, (input.body as { title: string }).title]),
    ).toEqual([
      ['collections.create', 'B'],
      ['collections.create', 'C'],
      ['spaces.create', 'A'],
    ]);
  });

  it('gives the structure of a site the same order, whichever of its calls is slow', async () => {
    const text =
      'spaces: { a: { title: A } }\nsites: { docs: { title: Docs, groups: { empty: { title: Empty }, other: { title: Other } }, sections: [{ path: a, space: !ref space.a }] } }';
    const orders = [];
    for (const slow of ['', 'Empty', 'A']) {
      const bench = await createBench(text);
      bench.before = async ({ input }) => {
        const { title, spaceId } = (input.body ?? {}) as { title?: string; spaceId?: string };
        if (title === slow || (slow === 'A' && spaceId !== undefined))
          for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      };
      expect((await bench.apply()).counts).toMatchObject({ failed: 0 });
      const [site] = (
        await bench.world.as('admin').call(listSites, { params: { organizationId: bench.world.org } })
      ).items;
      const params = { organizationId: bench.world.org, siteId: site!.id };
      const { structure } = await bench.world.as('admin').call(getSiteStructure, { params });
      orders.push((structure as readonly { title: string }[]).map(({ title }) => title));
    }
    expect(orders[0]).toEqual(['Section A', 'Empty', 'Other']);
    expect(orders).toEqual([orders[0], orders[0], orders[0]]);
  });

  it('continues after a failed step, and skips the steps that depend on it', async () => {
    const bench = await createBench(
      'collections: { b: { title: B }, c: { title: C, parent: !ref collection.b } }\nspaces: { a: { title: A, parent: !ref collection.c }, d: { title: D } }',
    );
    bench.before = ({ input }) => {
      if ((input.body as { title?: string } | undefined)?.title === 'B')
        throw new Problem('conflict', 'Not now.');
    };
    const { rows, counts } = await bench.apply();
    expect(
      rows.map(({ key, status, because, problem }) => [key, status, because ?? problem?.message]),
    ).toEqual([
      ['collection.b', 'failed', 'Not now.'],
      ['collection.c', 'skipped', 'collection.b'],
      ['space.a', 'skipped', 'collection.b'],
      ['space.d', 'done', undefined],
    ]);
    expect(counts).toMatchObject({ done: 1, failed: 1, skipped: 2 });
  });

  it('deletes nothing after an earlier step failed', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A } }');
    bench.write('spaces: { b: { title: B } }');
    bench.before = ({ operation }) => {
      if (operation.id === 'spaces.create') throw new Problem('conflict', 'Not now.');
    };
    expect(
      (await bench.apply({ prune: true })).rows.map(({ key, status, because }) => [key, status, because]),
    ).toEqual([
      ['space.b', 'failed', undefined],
      ['space.a', 'skipped', 'space.b'],
    ]);
  });

  it('keeps a field that somebody else changed meanwhile, and their changes of other fields', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A } }');
    bench.write('spaces: { a: { title: A2, emoji: "📗" } }');
    const others = bench.world.as('admin');
    const [space] = (await others.call(listSpaces, { params: { organizationId: bench.world.org } })).items;
    const change = (body: object) => others.call(updateSpace, { params: { spaceId: space!.id }, body });
    bench.before = async ({ operation }) => {
      if (operation.id === 'spaces.get') await change({ title: 'Theirs' });
    };
    const refused = await bench.apply();
    expect(refused.rows.map(({ key, problem }) => [key, problem?.reason, problem?.message])).toEqual([
      [
        'space.a',
        'precondition-failed',
        'Someone changed "title" of space.a after the plan was made. docsctl did not overwrite it.',
      ],
    ]);
    const now = async () => (await others.call(getSpace, { params: { spaceId: space!.id } })) as object;
    expect(await now()).toMatchObject({ title: 'Theirs' });
    let updates = 0;
    bench.before = async ({ operation }) => {
      if (operation.id === 'spaces.update' && ++updates === 1) await change({ language: 'fr' });
    };
    expect((await bench.apply()).counts).toMatchObject({ done: 1, failed: 0 });
    expect(updates).toBe(2);
    expect(await now()).toMatchObject({ title: 'A2', emoji: '📗', language: 'fr' });
    updates = 0;
    bench.write('spaces: { a: { title: A3 } }');
    bench.before = async ({ operation }) => {
      if (operation.id === 'spaces.update') await change({ language: updates++ % 2 === 0 ? 'de' : 'fr' });
    };
    const pauses: number[] = [];
    const pause = (attempt: number): Promise<void> => Promise.resolve(void pauses.push(attempt));
    expect((await bench.apply({ pause })).rows).toMatchObject([
      {
        problem: {
          reason: 'precondition-failed',
          message:
            'Did not set "title" of space.a: someone else changed this space during each of 6 attempts.',
          hint: 'Find out what else changes it, wait until that is done, and run the command again.',
        },
      },
    ]);
    expect([updates, pauses]).toEqual([6, [1, 2, 3, 4, 5]]);
    expect(await now()).toMatchObject({ title: 'A2' });
  });

  it('can be stopped between two attempts to change a resource that others change too', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A } }');
    bench.write('spaces: { a: { title: A2 } }');
    const controller = new AbortController();
    bench.before = ({ operation }) => {
      if (operation.id === 'spaces.update') throw new Problem('precondition-failed', 'It has changed.');
    };
    const pause = (): Promise<void> => Promise.resolve(controller.abort());
    const { rows, interrupted } = await bench.apply({ pause, signal: controller.signal });
    expect(rows.map(({ status }) => status)).toEqual(['stopped']);
    expect(interrupted).toBe(true);
    expect(bench.changing.map(({ operation }) => operation.id)).toEqual(['spaces.create', 'spaces.update']);
  });

  it('starts no more steps after the server has become unreachable', async () => {
    const bench = await createBench(
      `spaces: { ${Array.from({ length: 20 }, (_, index) => `s${index}: { title: S ${index} }`).join(', ')} }`,
    );
    bench.before = ({ operation }) => {
      if (operation.id === 'spaces.create' && bench.changing.length > 3)
        throw new Problem('unreachable', 'Gone.');
    };
    const { counts } = await bench.apply({ concurrency: 1 });
    expect(counts).toMatchObject({ done: 3, failed: 1, skipped: 16 });
  });

  it('completes the running step when it is stopped, and the next apply continues from there', async () => {
    const text = `spaces: { ${Array.from({ length: 12 }, (_, index) => `s${index}: { title: S ${index}, editMode: locked, defaultLevel: edit }`).join(', ')} }`;
    const bench = await createBench(text);
    const controller = new AbortController();
    bench.after = () => {
      if (bench.changing.length >= 5) controller.abort();
    };
    const stopped = await bench.apply({ signal: controller.signal, concurrency: 1 });
    expect(stopped.interrupted).toBe(true);
    expect(stopped.counts).toMatchObject({ done: 2, stopped: 10, failed: 0 });
    // Created and written to the state file, but without its default level.
    expect(Object.keys(bench.lock!.resources)).toEqual(['space.s0', 'space.s1', 'space.s2']);
    expect(bench.lock!.resources['space.s2']!.fields).toEqual({ title: 'S 2', editMode: 'locked' });
    bench.after = () => {};
    await bench.bring(text);
    expect(bench.changing).toHaveLength(24);
    expect(
      (await bench.world.as('admin').call(listSpaces, { params: { organizationId: bench.world.org } })).count,
    ).toBe(12);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('runs at most `concurrency` steps at once, and reports the start and end of each step', async () => {
    const bench = await createBench(
      `collections: { c: { title: C } }\nspaces: { ${Array.from({ length: 9 }, (_, index) => `s${index}: { title: S ${index}, parent: !ref collection.c }`).join(', ')} }`,
    );
    const events: ApplyEvent[] = [];
    let running = 0;
    let most = 0;
    const onEvent = (event: ApplyEvent): void => {
      events.push(event);
      if (event.type === 'started') most = Math.max(most, ++running);
      if (event.type === 'ended') running--;
    };
    await bench.apply({ concurrency: 3, onEvent });
    expect(most).toBe(3);
    expect(events.slice(0, 11).map(({ type, step }) => `${type} ${step.key}`)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `waiting space.s${index}`),
      'started collection.c',
      'ended collection.c',
    ]);
    expect(events.filter(({ type }) => type === 'ended')).toHaveLength(10);
  });

  it('creates a resource only once, even if the response to the create was lost', async () => {
    const bench = await createBench('spaces: { a: { title: A } }');
    bench.after = ({ operation }) => {
      if (operation.id === 'spaces.create') throw new Problem('timed-out', 'No answer.');
    };
    expect((await bench.apply()).counts).toMatchObject({ failed: 1 });
    bench.after = () => {};
    // The space is renamed by hand, so that its title no longer identifies it.
    await bench.world
      .as('admin')
      .call(createSpace, { params: { organizationId: bench.world.org }, body: { title: 'B' } });
    await bench.apply();
    expect(
      (
        await bench.world.as('admin').call(listSpaces, { params: { organizationId: bench.world.org } })
      ).items.map(({ title }) => title),
    ).toEqual(['A', 'B']);
  });

  it('refuses to start if the backend does not support a resource, unless it is skipped', async () => {
    const bench = await createBench(
      'teams:\n  t: { title: T }\nsites:\n  s: { title: Site, groups: { g: { title: G } } }',
    );
    bench.before = ({ operation }) => {
      if (operation.id.startsWith('sites.')) throw new Problem('not-implemented', 'There are no sites here.');
    };
    const plan = await bench.plan();
    expect(plan.steps.map(({ key, action, reason }) => [key, action, reason])).toEqual([
      ['team.t', 'create', undefined],
      ['site.s', 'unsupported', 'There are no sites here.'],
      ['section-group.s/g', 'unsupported', 'site.s cannot be created'],
    ]);
    expect(await problemIn(bench.apply())).toMatchObject({
      reason: 'not-implemented',
      violations: [
        { path: 'org.yaml:5:3', message: 'site.s: There are no sites here.' },
        { path: 'org.yaml:5:31', message: 'section-group.s/g: site.s cannot be created' },
      ],
    });
    expect((await bench.apply({ skipUnsupported: true })).counts).toMatchObject({
      done: 1,
      unsupported: 2,
      failed: 0,
    });
  });
});
