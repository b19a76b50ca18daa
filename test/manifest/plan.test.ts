import { describe, expect, it } from 'vitest';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import {
  addSection,
  deleteSection,
  moveSection,
  updateSection,
} from '../../src/resources/site-sections/contract.ts';
import { updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { getSiteStructure } from '../../src/resources/sites/contract.ts';
import { moveSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { updateTeamMembers } from '../../src/resources/team-members/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { faultsIn, problemIn } from './read/folder.ts';

const live = (bench: Bench) => bench.world.as('admin');
const idOf = (bench: Bench, address: string) => bench.lock!.resources[address]!.id;
const change = (bench: Bench, body: Record<string, string>) =>
  live(bench).call(updateSpace, { params: { spaceId: idOf(bench, 'space.a') }, body });

describe('a planned change', () => {
  it('shows which side changed: the file, the live resource, or both', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One, editMode: live, emoji: 📘 } }');
    await change(bench, { title: 'Live', editMode: 'locked' });
    bench.write('spaces: { a: { title: File, editMode: live, emoji: 📗, defaultLevel: edit } }');
    expect((await bench.plan()).steps[0]!.changes).toEqual([
      { field: 'title', before: 'Live', after: 'File', moved: 'both' },
      { field: 'emoji', before: '📘', after: '📗', moved: 'file' },
      { field: 'editMode', before: 'locked', after: 'live', moved: 'live' },
      { field: 'defaultLevel', before: null, after: 'edit', moved: 'file' },
    ]);
  });

  it('is not made for fields that are not stated', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    await change(bench, { editMode: 'locked', emoji: '📘' });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('to null clears the field, and is refused if the field cannot be cleared', async () => {
    const bench = await createBench();
    await bench.bring(
      'spaces: { a: { title: One, emoji: 📘 } }\norg: { settings: { logo: "https://a.test/l.png" } }',
    );
    bench.write('spaces: { a: { title: One, emoji: null } }\norg: { settings: { logo: null } }');
    expect(linesOf(await bench.plan())).toEqual([
      'update space.a emoji: "📘" ⇒ null',
      'update org.settings logo: "https://a.test/l.png" ⇒ null',
    ]);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    bench.write('spaces:\n  a: { title: null }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:15: null is not allowed here; omit the field to keep its value',
    ]);
  });

  it('sends only changed fields, with the predicted number of calls', async () => {
    const bench = await createBench();
    await bench.bring('collections: { c: { title: C } }\nspaces: { a: { title: One, editMode: live } }');
    bench.write(
      'collections: { c: { title: C } }\nspaces: { a: { title: Two, editMode: live, parent: !ref collection.c } }',
    );
    bench.forget();
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual(['update space.a title: "One" ⇒ "Two" parent: null ⇒ →collection.c']);
    await bench.apply();
    expect(bench.changing.map(({ operation, input }) => [operation.id, input.body])).toEqual([
      ['spaces.move', { parent: idOf(bench, 'collection.c') }],
      ['spaces.update', { title: 'Two' }],
    ]);
    expect(plan.calls).toBe(2);
  });

  it('of the parent alone is a move, and references are shown by their names', async () => {
    const bench = await createBench();
    const text = (parent: string) =>
      `collections: { c: { title: C }, d: { title: D } }\nspaces: { a: { title: One, parent: ${parent} } }`;
    await bench.bring(text('!ref collection.c'));
    bench.write(text('!ref collection.d'));
    expect(linesOf(await bench.plan())).toEqual(['move space.a parent: →collection.c ⇒ →collection.d']);
    await live(bench).call(moveSpace, {
      params: { spaceId: idOf(bench, 'space.a') },
      body: { parent: idOf(bench, 'collection.d') },
    });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('of members lists emails, and removes members that are not listed', async () => {
    const bench = await createBench();
    await bench.bring(
      'teams: { t: { title: T, members: [edit@acme.test, { email: create@acme.test, role: owner }] } }',
    );
    await live(bench).call(updateTeamMembers, {
      params: { organizationId: bench.world.org, teamId: idOf(bench, 'team.t') },
      body: { add: ['usr_review'], memberships: { usr_edit: { role: 'owner' } } },
    });
    expect((await bench.plan()).steps[0]!.changes).toEqual([
      {
        field: 'members',
        before: [
          { email: 'create@acme.test', role: 'owner' },
          { email: 'edit@acme.test', role: 'owner' },
          'review@acme.test',
        ],
        after: [{ email: 'create@acme.test', role: 'owner' }, 'edit@acme.test'],
        moved: 'live',
      },
    ]);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('of a list that is a set ignores its order', async () => {
    const bench = await createBench();
    await bench.bring('org: { settings: { emailDomains: [b.test, a.test] } }');
    await live(bench).call(updateOrganization, {
      params: { organizationId: bench.world.org },
      body: { emailDomains: ['a.test', 'b.test'] },
    });
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.bring('org: { settings: { emailDomains: [Bücher.example] } }');
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('that no call can make is unsupported, and stops an apply that does not skip it', async () => {
    const bench = await createBench();
    await bench.bring('sites: { s: { title: Docs, type: basic } }');
    bench.write('sites:\n  s: { title: Docs 2, type: premium }');
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([
      'update site.s title: "Docs" ⇒ "Docs 2"',
      'unsupported site.s (type) type: "basic" ⇒ "premium"',
    ]);
    bench.forget();
    const problem = await problemIn(bench.apply());
    expect(problem).toMatchObject({
      reason: 'not-implemented',
      message: 'One step of the plan cannot be done here. Nothing was changed.',
      hint: 'Remove the listed part from the manifest, or add --skip-unsupported.',
      exitCode: 10,
      violations: [
        {
          path: 'org.yaml:3:3',
          message:
            'site.s (type): "type" can be set only when a site is created; remove it from the file, or create a new site',
        },
      ],
    });
    expect(bench.changing).toEqual([]);
    const { counts } = await bench.apply({ skipUnsupported: true });
    expect(counts).toMatchObject({ done: 1, unsupported: 1, failed: 0 });
  });
});

const sectioned = (groups: string, sections: string) => `
spaces: { a: { title: A }, b: { title: B }, c: { title: C } }
sites:
  docs:
    title: Docs
    groups: ${groups}
    sections:
${sections}`;

describe('sections in a plan', () => {
  const three = ['a', 'b', 'c'].map(
    (name) => `      - { path: ${name}, title: Section ${name}, space: !ref space.${name} }`,
  );

  it('follow the order of the file with as few moves as possible', async () => {
    const bench = await createBench();
    await bench.bring(sectioned('{}', three.join('\n')));
    bench.write(sectioned('{}', [three[2], three[0], three[1]].join('\n')));
    expect(linesOf(await bench.plan())).toEqual(['move section.docs/c (order) before section.docs/a']);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') };
    await live(bench).call(moveSection, {
      params: { ...params, siteSectionId: idOf(bench, 'section.docs/c') },
      body: {},
    });
    expect(linesOf(await bench.plan())).toEqual(['move section.docs/c (order) before section.docs/a']);
  });

  it('move between groups, and a group has the position of its first section', async () => {
    const bench = await createBench();
    const groups = '{ g: { title: Gee } }';
    await bench.bring(sectioned(groups, three.join('\n')));
    const inGroup = three.map((line, index) =>
      index === 1 ? line.replace('title', 'group: g, title') : line,
    );
    bench.write(sectioned(groups, inGroup.join('\n')));
    expect(linesOf(await bench.plan())).toContain('move section.docs/b group: null ⇒ →section-group.docs/g');
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    const { structure } = await live(bench).call(getSiteStructure, {
      params: { organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') },
    });
    expect(structure.map(({ title }) => title)).toEqual(['Section a', 'Gee', 'Section c']);
    bench.write(sectioned(groups, inGroup.map((line) => line.replace('group: g', 'group: null')).join('\n')));
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('enter a group in the order of the file, even if one of them also changes its path', async () => {
    const bench = await createBench();
    const grouped = (b: string, more = '') =>
      sectioned('{ g: { title: Gee } }', `${more}      - { ref: b, ${b}, space: !ref space.b }`);
    await bench.bring(grouped('path: b'));
    bench.write(
      grouped('group: g, path: other', '      - { ref: a, group: g, path: new, space: !ref space.a }\n'),
    );
    expect((await bench.apply()).counts).toMatchObject({ failed: 0, waiting: 0 });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('stay in place if the file does not have them, and do not affect the others', async () => {
    const bench = await createBench();
    await bench.bring(sectioned('{}', three.slice(0, 2).join('\n')));
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') };
    const { id } = await live(bench).call(addSection, {
      params,
      body: { spaceId: idOf(bench, 'space.c'), title: 'Mine' },
    });
    await live(bench).call(moveSection, {
      params: { ...params, siteSectionId: id },
      body: { position: { before: { type: 'site-section', siteSection: idOf(bench, 'section.docs/b') } } },
    });
    expect(linesOf(await bench.plan({ prune: true }))).toEqual([]);
  });

  it('have exactly one default, which is the one with "default: true"', async () => {
    const bench = await createBench();
    await bench.bring(sectioned('{}', three.join('\n').replace('space.c }', 'space.c, default: true }')));
    expect(linesOf(await bench.plan())).toEqual([]);
    bench.write(sectioned('{}', three.join('\n').replace('space.a }', 'space.a, default: true }')));
    expect(linesOf(await bench.plan())).toEqual(['update section.docs/a default: false ⇒ true']);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('lose their condition if it is null, and keep it if it is not stated', async () => {
    const bench = await createBench();
    await bench.bring(
      sectioned('{}', three.join('\n').replace('space.c }', 'space.c, condition: visitor.claims.beta }')),
    );
    bench.write(sectioned('{}', three.join('\n')));
    expect(linesOf(await bench.plan())).toEqual([]);
    bench.write(sectioned('{}', three.join('\n').replace('space.c }', 'space.c, condition: null }')));
    expect(linesOf(await bench.plan())).toEqual([
      'update section.docs/c condition: "visitor.claims.beta" ⇒ null',
    ]);
  });

  it('cannot have the same value in a unique field', async () => {
    const bench = await createBench();
    bench.write(
      [
        'spaces: { a: { title: A }, b: { title: B } }',
        'sites: { s: { title: Site, basename: docs }, t: { title: Other, basename: docs } }',
        'openapi: { x: { slug: api, text: "{}" }, y: { slug: api, text: "{}" } }',
        'saml: { one: { label: One, entityID: e }, two: { label: Two, entityID: e } }',
      ].join('\n'),
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:75: site.s at org.yaml:3:10 has the same basename, which must be unique; change one of the two',
      'org.yaml:4:53: openapi.x at org.yaml:4:12 has the same slug, which must be unique; change one of the two',
      'org.yaml:5:72: saml.one at org.yaml:5:9 has the same entityID, which must be unique; change one of the two',
    ]);
  });

  it('need two applies to swap their paths, which the plan reports', async () => {
    const bench = await createBench();
    const refs = (x: string, y: string) =>
      sectioned(
        '{}',
        `      - { ref: one, path: ${x}, space: !ref space.a }\n      - { ref: two, path: ${y}, space: !ref space.b }`,
      );
    await bench.bring(refs('x', 'y'));
    bench.write(refs('y', 'z'));
    expect((await bench.apply()).counts).toMatchObject({ done: 2, failed: 0 });
    bench.write(refs('z', 'y'));
    expect((await faultsIn(bench.plan()))[0]).toBe(
      'org.yaml:9:9: section.docs/one and section.docs/two swap a value that must be unique; apply twice, with a temporary value first',
    );
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') };
    const { id } = await live(bench).call(addSection, { params, body: { spaceId: idOf(bench, 'space.c') } });
    await live(bench).call(updateSection, {
      params: { ...params, siteSectionId: id },
      body: { path: 'taken' },
    });
    bench.write(refs('taken', 'z'));
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:9:27: ${id} (not in the manifest) already has this path, which must be unique; change it there first, or delete that resource`,
    ]);
  });

  it('can change between one space and several site spaces', async () => {
    const bench = await createBench();
    await bench.bring(sectioned('{}', three[0]!));
    bench.write(
      sectioned(
        '{}',
        '      - { path: a, siteSpaces: [{ path: v2, space: !ref space.b, default: true }, { path: v1, space: !ref space.a, hidden: true }] }',
      ),
    );
    expect(linesOf(await bench.plan())).toContain(
      'adopt site-space.docs/a/v1 path: "a" ⇒ "v1" hidden: false ⇒ true',
    );
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    const params = {
      organizationId: bench.world.org,
      siteId: idOf(bench, 'site.docs'),
      siteSpaceId: idOf(bench, 'site-space.docs/a/v1'),
    };
    await live(bench).call(updateSiteSpace, { params, body: { hidden: false } });
    expect(linesOf(await bench.plan())).toEqual(['update site-space.docs/a/v1 hidden: false ⇒ true']);
  });
});

describe('prune', () => {
  const text =
    'collections: { c: { title: C } }\nspaces: { a: { title: A, parent: !ref collection.c }, b: { title: B } }\nsites: { s: { title: Site, sections: [{ path: x, space: !ref space.b }] } }';

  it('happens only on request; without it, the plan lists the resources that remain', async () => {
    const bench = await createBench();
    await bench.bring(text);
    bench.write('spaces: {}');
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([]);
    expect(plan.left.map(({ address }) => address).sort()).toEqual(['space.a', 'space.b']);
  });

  it('deletes owned resources that the file no longer has, children first, in the scopes that it manages', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const { id } = await live(bench).call(
      (await import('../../src/resources/spaces/contract.ts')).createSpace,
      {
        params: { organizationId: bench.world.org },
        body: { title: 'Mine' },
      },
    );
    bench.write('spaces: {}\nsites: {}');
    expect(linesOf(await bench.plan({ prune: true }))).toEqual([
      'delete site.s',
      'delete space.a',
      'delete space.b',
    ]);
    await bench.apply({ prune: true });
    expect(Object.keys(bench.lock!.resources)).toEqual(['collection.c']);
    const { listSpaces } = await import('../../src/resources/spaces/contract.ts');
    expect(
      (await live(bench).call(listSpaces, { params: { organizationId: bench.world.org } })).items.map(
        (space) => space.id,
      ),
    ).toEqual([id]);
  });

  it('lists what it keeps because a field is missing from the file, with the name of that field', async () => {
    const bench = await createBench();
    await bench.bring(text);
    bench.write('spaces: {}\nsites: { s: { title: Site } }');
    const { left, unmanaged } = await bench.plan();
    expect(left.map(({ address }) => address).sort()).toEqual(['space.a', 'space.b']);
    // What is inside the section is not listed, because it is deleted or kept with the section.
    expect(unmanaged).toEqual([
      { address: 'collection.c', kind: 'collection', id: idOf(bench, 'collection.c'), field: 'collections', empty: '{}' }, // prettier-ignore
      { address: 'section.s/x', kind: 'section', id: idOf(bench, 'section.s/x'), parent: 'site.s', field: 'sections', empty: '[]' }, // prettier-ignore
    ]);

    bench.write(
      'collections: {}\nspaces: { a: { title: A, parent: null }, b: { title: B } }\nsites: { s: { title: Site, sections: [] } }',
    );
    const plan = await bench.plan({ prune: true });
    expect(plan.unmanaged).toBeUndefined();

    // A section keeps at least one space, so its list cannot be made empty.
    bench.write('spaces: {}\nsites: { s: { title: Site, sections: [{ path: x }] } }');
    expect((await bench.plan()).unmanaged?.map(({ address }) => address)).toEqual(['collection.c']);
    expect(linesOf(plan).filter((line) => line.startsWith('delete'))).toEqual([
      'delete section.s/x',
      'delete collection.c',
    ]);
  });

  it('forgets resources that are already deleted', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') };
    await live(bench).call(deleteSection, {
      params: { ...params, siteSectionId: idOf(bench, 'section.s/x') },
    });
    bench.write(text.replace('sections: [{ path: x, space: !ref space.b }]', 'sections: []'));
    bench.forget();
    await bench.apply();
    expect(bench.changing).toEqual([]);
    expect(Object.keys(bench.lock!.resources).filter((address) => address.startsWith('s'))).toEqual([
      'site.s',
      'space.a',
      'space.b',
    ]);
  });

  it('keeps protected resources, even if their block is gone', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A, protect: true } }');
    await bench.bring('spaces: { a: { title: B } }');
    bench.write('spaces: {}');
    const planned = await bench.plan({ prune: true });
    expect([linesOf(planned), planned.protected?.map(({ address }) => address)]).toEqual([[], ['space.a']]);
    await bench.bring('spaces: { a: { title: B, protect: false } }');
    bench.write('spaces: {}');
    expect(linesOf(await bench.plan({ prune: true }))).toEqual(['delete space.a']);
  });

  it('keeps resources that contain a protected one', async () => {
    const bench = await createBench();
    await bench.bring(
      'spaces: { a: { title: A } }\nsites: { s: { sections: [{ path: x, protect: true, space: !ref space.a }] } }',
    );
    bench.write('sites: {}');
    const planned = await bench.plan({ prune: true });
    expect([linesOf(planned), planned.protected?.map(({ address }) => address)]).toEqual([[], ['site.s']]);
  });

  it('deletes at most five resources, or a tenth of all if that is more', async () => {
    const bench = await createBench();
    const many = (count: number) =>
      `spaces: { ${Array.from({ length: count }, (_, index) => `s${index}: { title: S ${index} }`).join(', ')} }`;
    await bench.bring(many(70));
    bench.write(many(63));
    expect((await bench.plan({ prune: true })).counts.delete).toBe(7);
    bench.write(many(62));
    expect(await problemIn(bench.plan({ prune: true }))).toMatchObject({
      reason: 'guard-refused',
      message: 'This would delete 8 resources; the limit is 7 unless --max-deletes allows more.',
    });
    expect((await bench.plan({ prune: true, maxDeletes: 8 })).counts.delete).toBe(8);
    expect((await problemIn(bench.plan({ prune: true, maxDeletes: 2 }))).message).toBe(
      'This would delete 8 resources; --max-deletes allows only 2.',
    );
  });

  it('deletes at most the percentage of its resources that --max-deletes allows, rounded down', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A }, b: { title: B }, c: { title: C } }');
    bench.write('spaces: { a: { title: A } }');
    const plan = (maxDeletes: `${number}%`) => bench.plan({ prune: true, maxDeletes });
    expect((await plan('67%')).counts.delete).toBe(2);
    expect((await problemIn(plan('66%'))).message).toBe(
      'This would delete 2 resources; --max-deletes 66% allows only 1 of 3.',
    );
    expect((await problemIn(plan('0%'))).message).toContain('allows only 0 of 3.');
  });
});
