import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import {
  deleteCollection,
  listCollections,
  updateCollection,
} from '../../../src/resources/collections/contract.ts';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { updateExternalLink } from '../../../src/resources/site-external-links/contract.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { getSiteStructure, listSites, sortSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createSpace, listSpaces, moveSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { linesOf } from '../bench.ts';
import { ManifestState } from '../../../src/manifest/manifest-state.ts';
import { verifyPlan } from '../../../src/manifest/verify-plan.ts';
import { problemIn } from '../read/folder.ts';
import { createUndoBench, type UndoBench } from './undo-bench.ts';

const prune = { prune: true, maxDeletes: 100 };
const idOf = (bench: UndoBench, address: string): string => bench.lock!.resources[address]!.id;
const titlesIn = async (bench: UndoBench): Promise<string[]> =>
  (await bench.api.call(listSpaces, { params: { organizationId: bench.world.org } })).items.map(
    ({ title }) => title,
  );
const sectionsIn = async (bench: UndoBench): Promise<unknown[]> => {
  const params = { organizationId: bench.world.org };
  const { items } = await bench.api.call(listSites, { params });
  const { structure } = await bench.api.call(getSiteStructure, {
    params: { ...params, siteId: items[0]!.id },
  });
  return (structure as { path: string; default?: boolean }[]).map((item) =>
    item.default === true ? [item.path] : item.path,
  );
};

/** The paths of the sections and the titles of the links of the only site, in their order. */
const levelIn = async (bench: UndoBench): Promise<unknown[]> => {
  const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') };
  const { structure } = await bench.api.call(getSiteStructure, { params });
  return (structure as { path?: string; title: string }[]).map(({ path, title }) => path ?? title);
};

/** A bench to which one text and then another one was applied. */
async function brought(one: string, other: string, more = {}): Promise<UndoBench> {
  const bench = await createUndoBench();
  await bench.bring(one);
  await bench.bring(other, more);
  return bench;
}

const site = (sections: string) =>
  `spaces: { a: { title: A }, b: { title: B }, c: { title: C } }\nsites:\n  s:\n    title: Docs\n    sections:\n${sections}`;
const section = (path: string, space: string, more = '') =>
  `      - { path: ${path}, title: Title of ${path}, space: !ref space.${space}${more} }\n`;

describe('undo', () => {
  it('deletes created resources before it restores values that they use', async () => {
    const [a, b, q] = [
      section('p', 'a', ', ref: x'),
      section('p', 'b', ', ref: y'),
      section('q', 'a', ', ref: x'),
    ];
    const bench = await brought(site(a), site(q + b));
    const { document } = await bench.planUndo();
    expect(document.steps.find(({ key }) => key === 'section.s/x')!.after).toEqual(['section.s/y']);
    await bench.undo();
    expect(await sectionsIn(bench)).toEqual([['p']]);
  });

  it('creates a deleted section again in its old position, with its contents and as the default', async () => {
    const bench = await brought(
      site(section('a', 'a') + section('b', 'b', ', default: true') + section('c', 'c')),
      site(section('a', 'a') + section('c', 'c')),
      prune,
    );
    expect(await sectionsIn(bench)).toEqual([['a'], 'c']);
    const { conflicts, lost } = await bench.undo();
    expect([conflicts, lost]).toEqual([[], []]);
    expect(await sectionsIn(bench)).toEqual(['a', ['b'], 'c']);
  });

  it('restores the positions of external links beside sections that were deleted or moved', async () => {
    const [a, b, c] = [section('a', 'a'), section('b', 'b'), section('c', 'c')];
    const links = ['a', 'b', 'b', 'c'].map(
      (after, index) => `{ title: L${index}, url: "https://${index}.example.com", after: ${after} }`,
    );
    const externalLinks = `    externalLinks: [${links.join(', ')}]\n`;
    const levels = ['a', 'L0', 'b', 'L1', 'L2', 'c', 'L3'];
    for (const other of [a + c, b + c, section('a', 'c') + b, b + c + a, c + b + a, c]) {
      const bench = await brought(site(a + b + c) + externalLinks, site(other), prune);
      expect(await levelIn(bench)).not.toEqual(levels);
      const { conflicts, lost } = await bench.undo();
      expect([conflicts, lost]).toEqual([[], []]);
      expect(await levelIn(bench)).toEqual(levels);
    }
  });

  it('restores external links beside a replaced section even if no manifest stated their positions', async () => {
    const link = (title: string, more = ''): string => `{ title: ${title}, url: "https://${title}.example.com"${more} }`; // prettier-ignore
    const links = (...items: string[]): string => `    externalLinks: [${items.join(', ')}]\n`;
    const bench = await brought(
      site(section('a', 'a')) + links(link('one'), link('two')),
      site(section('b', 'b')) + links(link('two', ', description: Second')),
      prune,
    );
    expect(await levelIn(bench)).toEqual(['two', 'b']);
    const { conflicts, lost } = await bench.undo();
    expect([conflicts, lost]).toEqual([[], []]);
    expect(await levelIn(bench)).toEqual(['a', 'one', 'two']);
  });

  it('restores external links that a killed run moved with their section, and had not deleted yet', async () => {
    const [a, b, c] = [section('a', 'a'), section('b', 'b'), section('c', 'c')];
    const link = '    externalLinks: [{ title: Blog, url: "https://blog.example.com", after: b }]\n';
    const bench = await createUndoBench();
    await bench.bring(site(a + b + c) + link);
    bench.write(
      `${site(c + a + b)}    externalLinks: []\n    customization: { styling: { corners: straight } }\n`,
    );
    bench.before = ({ operation }) => {
      if (operation.method === 'PUT' && operation.path.endsWith('/customization')) throw new Error('killed');
    };
    await expect(bench.apply({ concurrency: 1 })).rejects.toThrow('killed');
    bench.before = () => {};
    expect(await levelIn(bench)).toEqual(['c', 'a', 'b', 'Blog']);
    const { conflicts } = await bench.undo();
    expect(conflicts).toEqual([]);
    expect(await levelIn(bench)).toEqual(['a', 'b', 'Blog', 'c']);
  });

  it('keeps external links that have changed since, unless forced', async () => {
    const externalLinks = `    externalLinks: [{ title: Blog, url: "https://blog.example.com", after: b }]\n`;
    const [a, b] = [section('a', 'a'), section('b', 'b')];
    const bench = await brought(site(a + b) + externalLinks, site(a), prune);
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') };
    const { structure } = await bench.api.call(getSiteStructure, { params });
    const link = (structure as { object: string; id: string }[]).find(
      ({ object }) => object === 'site-external-link',
    );
    await bench.api.call(updateExternalLink, {
      params: { ...params, siteExternalLinkId: link!.id },
      body: { title: 'News' },
    });
    const { conflicts } = await bench.undo();
    expect(conflicts).toEqual([
      expect.objectContaining({ address: 'site.s', field: 'externalLinks', why: 'has changed since' }),
    ]);
    expect(await levelIn(bench)).toEqual(['a', 'News', 'b']);
  });

  it('keeps an order and a default that somebody has changed since', async () => {
    const [a, b, c] = [section('a', 'a'), section('b', 'b'), section('c', 'c')];
    const bench = await brought(site(a + b + c), site(section('c', 'c', ', default: true') + a + b));
    const params = { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') };
    const pointer = (path: string) =>
      ({ type: 'site-section', id: idOf(bench, `section.s/${path}`) }) as const;
    await bench.api.call(sortSiteStructure, {
      params,
      body: { item: pointer('c'), position: { after: pointer('a') } },
    });
    const { conflicts, document } = await bench.planUndo();
    expect(conflicts).toEqual([
      { address: 'site.s (order)', why: 'is in a list whose order has changed since' },
    ]);
    expect(linesOf(document)).toEqual(['update section.s/a default: false ⇒ true']);
    await bench.undo(-1, { force: true });
    expect(await sectionsIn(bench)).toEqual([['a'], 'b', 'c']);
  });

  it('moves resources back into a restored collection, unless somebody has moved them elsewhere', async () => {
    const bench = await createUndoBench();
    await bench.bring(
      'collections: { top: { title: Top }, low: { title: Low, parent: !ref collection.top }, other: { title: Other } }',
    );
    const params = { organizationId: bench.world.org };
    const inside = (title: string) =>
      bench.api.call(createSpace, { params, body: { title, parent: idOf(bench, 'collection.low') } });
    const [one, two] = [await inside('One'), await inside('Two')];
    await bench.bring('collections: { top: { title: Top }, other: { title: Other } }', prune);
    await bench.api.call(moveSpace, {
      params: { spaceId: two.id },
      body: { parent: idOf(bench, 'collection.other') },
    });
    const { conflicts } = await bench.undo();
    expect(conflicts).toMatchObject([
      { address: `space.${two.id}`, field: 'parent', now: idOf(bench, 'collection.other') },
    ]);
    const { items } = await bench.api.call(listSpaces, { params });
    const parents = new Map(items.map(({ id, parent }) => [id, parent]));
    expect(parents.get(one.id)).toBe(idOf(bench, 'collection.low'));
    expect(parents.get(two.id)).toBe(idOf(bench, 'collection.other'));
    expect(Object.keys(bench.lock!.resources)).not.toContain(`space.${one.id}`);
  });

  it('restores a field that a call cleared although no step mentions it', async () => {
    const bench = await brought(
      'spaces: { a: { title: A, icon: "https://icons.test/a.png" } }',
      'spaces: { a: { title: A, emoji: "📘" } }',
    );
    await bench.undo();
    const { items } = await bench.api.call(listSpaces, { params: { organizationId: bench.world.org } });
    expect(items[0]).toMatchObject({ icon: 'https://icons.test/a.png', emoji: '' });
  });

  it('keeps created resources that have changed since', async () => {
    const bench = await brought(
      '',
      `spaces: { a: { title: A } }\nsites:\n  s: { title: Docs, sections: [{ path: p, title: Page, space: !ref space.a }] }`,
    );
    await bench.api.call(updateSpace, {
      params: { spaceId: idOf(bench, 'space.a') },
      body: { title: 'Mine' },
    });
    await bench.api.call(addSection, {
      params: { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') },
      body: { spaceId: idOf(bench, 'space.a'), title: 'More' },
    });
    const { conflicts, document } = await bench.planUndo();
    expect(conflicts.map(({ address, why }) => `${address}: ${why}`)).toEqual([
      'space.a: was created by this run, but its "title" is "Mine" now',
      expect.stringMatching(
        /^site.s: was created by this run, but section "More" \(sitesc_\w+\) has been added to it since$/,
      ),
    ]);
    expect(linesOf(document)).toEqual([]);
    expect(linesOf((await bench.planUndo(-1, { force: true })).document)).toEqual([
      'delete site.s',
      'delete space.a',
    ]);
  });

  it('treats children that are created with their parent as its own only in killed runs, and only the first', async () => {
    const start = 'spaces: { a: { title: A }, b: { title: B } }\nsites: { s: { title: Docs } }';
    const bench = await brought(
      start,
      start.replace('{ s: { title: Docs } }', '\n  s:\n    title: Docs\n    sections:\n') + section('p', 'a'),
    );
    const lines = bench.texts.at(-1)!.trimEnd().split('\n');
    const whole = (...kept: (string | undefined)[]) => bench.texts.push(`${kept.join('\n')}\n`);
    const whys = async () => (await bench.planUndo()).conflicts.map(({ why }) => why);
    const ofSection = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"key":"site-space.')),
    );
    expect(ofSection.at(-1)).toContain('"type":"ended","key":"section.s/p"');
    const added = /^was created by this run, but site-space "\w+" \(sitesp_\w+\) has been added to it since$/;
    whole(...ofSection);
    expect(await whys()).toEqual([]);
    expect(linesOf((await bench.planUndo()).document)).toEqual(['delete section.s/p']);
    whole(...ofSection, lines.at(-1));
    expect(await whys()).toEqual([expect.stringMatching(added)]);
    await bench.api.call(addSiteSpace, {
      params: { organizationId: bench.world.org, siteId: idOf(bench, 'site.s') },
      body: { spaceId: idOf(bench, 'space.b'), sectionId: idOf(bench, 'section.s/p') },
    });
    whole(...ofSection);
    expect(await whys()).toEqual([expect.stringMatching(added)]);
    whole(...ofSection, lines.at(-1));
    expect((await whys()).join()).toMatch(/has been added to it since.*has been added to it since/s);
  });

  it('shows deleted resources under their current titles', async () => {
    const bench = await brought('', 'spaces: { x: { title: n } }');
    const own = idOf(bench, 'space.x');
    const text = bench.texts.at(-1)!;
    bench.texts.push(text.replaceAll('"name":"n"', '"name":"harmless"'));
    expect((await bench.planUndo()).document.steps).toMatchObject([{ action: 'delete', id: own, name: 'n' }]);
  });

  it('writes the same entries to the state file as an apply, without differences in version control', async () => {
    const text =
      'collections: { top: { title: Top, description: All } }\nspaces: { a: { title: A, emoji: "📘", parent: !ref collection.top, protect: true } }\n';
    const bench = await createUndoBench(true);
    await bench.bring(text);
    const before = JSON.stringify(bench.lock!.resources);
    await bench.bring('collections: {}\nspaces: { a: { title: A2, editMode: locked } }', prune);
    await bench.undo();
    const { id } = bench.lock!.resources['collection.top']!;
    expect(JSON.stringify(bench.lock!.resources)).toBe(before.replaceAll(/col_[0-9A-Z]+/g, id));
  });

  it('creates a deleted translation again, and does not treat its source language as an ID', async () => {
    const spaces = 'spaces: { a: { title: A } }\n';
    const bench = await brought(
      `${spaces}translations: { t: { source: { space: !ref space.a, language: en }, language: fr } }`,
      `${spaces}translations: {}`,
      prune,
    );
    const { lost } = await bench.undo();
    expect(lost).toEqual(['translation.t: the next run of the translation translates everything again.']);
    expect(bench.lock!.resources['translation.t']).toMatchObject({
      fields: { source: { space: idOf(bench, 'space.a'), language: 'en' } },
    });
  });

  it('releases adopted resources from the state file', async () => {
    const bench = await createUndoBench();
    const { id } = await bench.api.call(createSpace, {
      params: { organizationId: bench.world.org },
      body: { title: 'A' },
    });
    await bench.bring('spaces: { a: { title: A, emoji: "📘" } }');
    expect(idOf(bench, 'space.a')).toBe(id);
    await bench.undo();
    expect(bench.lock!.resources).toEqual({});
    expect(await titlesIn(bench)).toEqual(['A']);
    await bench.undo();
    expect(bench.lock!.resources).toMatchObject({ 'space.a': { id, fields: { emoji: '📘' } } });
  });

  it('restores a deleted space within seven days, and creates it again after that', async () => {
    const bench = await brought('spaces: { a: { title: A, editMode: locked } }', 'spaces: {}', prune);
    const id = bench.run().steps[0]!.begun.id!;
    expect(await bench.planUndo()).toMatchObject({
      lost: [],
      notes: ['space.a comes back with its content, because deleted spaces are kept for 7 days.'],
    });
    bench.passDays(8);
    const { lost, notes, document } = await bench.planUndo();
    expect([lost, notes]).toEqual([
      ['space.a is created again without its content, because deleted spaces are kept for 7 days only.'],
      [],
    ]);
    expect(document.steps[0]).not.toHaveProperty('restores');
    bench.passDays(-8);
    await bench.undo();
    expect(idOf(bench, 'space.a')).toBe(id);
  });

  it('creates a space again if the backend cannot restore it', async () => {
    const bench = await brought('spaces: { a: { title: A, editMode: locked } }', 'spaces: {}', prune);
    bench.world.pass(8 * 24 * 60 * 60 * 1000);
    await bench.undo();
    expect(bench.lock!.resources['space.a']).toMatchObject({ fields: { title: 'A', editMode: 'locked' } });
    expect(idOf(bench, 'space.a')).not.toBe(bench.run(1).steps[0]!.begun.id);
  });

  it('undoes an older run, and keeps the changes of later runs', async () => {
    const bench = await brought(
      'collections: { c: { title: One, description: x } }',
      'collections: { c: { title: Two, description: y } }',
    );
    await bench.bring('collections: { c: { title: Three, description: y } }');
    const { conflicts } = await bench.undo(1);
    expect(conflicts).toMatchObject([{ address: 'collection.c', field: 'title', now: 'Three', was: 'One' }]);
    expect(bench.lock!.resources['collection.c']!.fields).toEqual({ title: 'Three', description: 'x' });
    expect(linesOf(await bench.plan())).toEqual(['update collection.c description: "x" ⇒ "y"']);
  });

  it('lists roles and redirects that cannot be restored', async () => {
    const bench = await createUndoBench();
    const text = (team: string, access: string, section: string, redirects: string) => `
teams: {${team}}
spaces: { a: { title: A${access} }, b: { title: B } }
sites: { s: { title: Site, sections: [{ path: one, space: !ref space.a }${section}]${redirects} } }`;
    const access = ', access: [{ team: !ref team.t, role: read }]';
    const two = ', { path: two, space: !ref space.b }';
    const redirects = ', redirects: [{ source: /old, section: two }, { source: /b, space: !ref space.b }]';
    await bench.bring(text(' t: { title: Team } ', access, two, redirects));
    await bench.bring(text('', '', '', ''), prune);
    expect((await bench.planUndo()).lost).toEqual([
      'team.t gets back its roles in collections, spaces and sites only where the run changed "access".',
      'section.s/two gets a new ID, so redirects to it still lead nowhere. Set them again.',
    ]);
  });

  it('lists resources that were deleted since and cannot be restored', async () => {
    const bench = await brought(
      'collections: { c: { title: C } }\nspaces: { a: { title: A, parent: !ref collection.c } }',
      'collections: { c: { title: C2 } }\nspaces: { a: { title: A, parent: null } }',
    );
    await bench.api.call(deleteCollection, { params: { collectionId: idOf(bench, 'collection.c') } });
    const { lost, document } = await bench.undo();
    expect(lost).toEqual([
      'collection.c no longer exists, so its fields cannot be restored.',
      expect.stringMatching(/^space.a: "parent" cannot be restored, because col_\w+ no longer exists.$/),
    ]);
    expect(linesOf(document)).toEqual([]);
  });

  it('lists fields that the API cannot clear', async () => {
    const bench = await brought('spaces: { a: { title: A } }', 'spaces: { a: { title: A, language: de } }');
    const { lost } = await bench.planUndo();
    expect(lost).toEqual(['space.a: "language" cannot be restored, because it cannot be cleared.']);
  });

  it('is refused for a run on another server', async () => {
    const bench = await brought('', 'teams: { t: { title: T } }');
    const other = { ...bench.run(), head: { ...bench.run().head, place: 'https://other.test' } };
    expect(await problemIn(bench.planUndo(-1, { run: other }))).toMatchObject({
      reason: 'precondition-failed',
    });
  });

  it('records the new ID of a parent, even if the run was killed before it deleted the child', async () => {
    const bench = await createUndoBench();
    await bench.bring(
      'collections: { a: { title: A }, b: { title: B }, c: { title: C, parent: !ref collection.a } }',
    );
    const before = bench.owned();
    let left = 1;
    bench.before = ({ operation }: { operation: Operation }) => {
      if (operation.id === 'collections.delete' && left-- === 0) throw new Error('killed');
    };
    bench.write('collections: {}');
    await bench.apply({ ...prune, concurrency: 1 }).catch(() => {});
    bench.before = () => {};
    const former = idOf(bench, 'collection.c');
    await bench.undo(-1, { force: true });
    expect(bench.owned()).toEqual(before);
    const { items } = await bench.api.call(listCollections, { params: { organizationId: bench.world.org } });
    expect(items.find(({ title }) => title === 'C')).toMatchObject({ id: former, parent: idOf(bench, 'collection.a') }); // prettier-ignore
  });

  const inside = 'sections: [{ path: x, title: One, space: !ref space.a }, { path: y, title: Two, space: !ref space.b }]'; // prettier-ignore
  const spaces = 'spaces: { a: { title: A }, b: { title: B } }\n';
  const renamed = `${spaces}sites: { new: { title: Docs, sections: [{ path: x, title: One, space: !ref space.a }], shareLinks: {} } }`; // prettier-ignore

  it.each([{}, prune])(
    'undoes a run that renamed a site, with its sections and share links: %j',
    async (more) => {
      const bench = await createUndoBench();
      await bench.bring(
        `${spaces}sites: { old: { title: Docs, ${inside}, shareLinks: { l: { name: Link } } } }`,
      );
      const [before, live] = [bench.owned(), await bench.live()];
      bench.write(renamed);
      const saved = await bench.plan(more);
      expect(saved.left.map(({ address }) => address)).toEqual(
        'prune' in more ? [] : ['section.old/y', 'share-link.old/l'],
      );
      const request = { document: saved, api: bench.api, concurrency: 1 };
      await verifyPlan({ ...request, state: new ManifestState(bench.lock!) });
      await bench.apply(more);
      const parents = Object.values(bench.lock!.resources).flatMap(({ parent }) => parent ?? []);
      expect(parents.filter((parent) => bench.lock!.resources[parent] === undefined)).toEqual([]);
      expect(linesOf(await bench.plan(prune))).toEqual(
        'prune' in more ? [] : ['delete share-link.old/l', 'delete section.old/y'],
      );
      await bench.undo();
      expect([bench.owned(), await bench.live()]).toEqual([before, live]);
    },
  );

  it('undoes a killed run that left resources at the former address of a renamed block', async () => {
    const bench = await createUndoBench();
    await bench.bring(`${spaces}sites: { old: { title: Docs, ${inside} } }`);
    const [before, live] = [bench.owned(), await bench.live()];
    bench.write(renamed);
    bench.before = ({ operation }: { operation: Operation }) => {
      if (operation.id === 'sites.sections.delete') throw new Error('killed');
    };
    await bench.apply(prune).catch(() => {});
    bench.before = () => {};
    expect(linesOf(await bench.plan(prune))).toEqual(['delete section.old/y']);
    await bench.undo();
    expect([bench.owned(), await bench.live()]).toEqual([before, live]);
  });

  it('needs force to delete a resource that the killed run was probably creating', async () => {
    const bench = await createUndoBench();
    bench.after = ({ operation }: { operation: Operation }) => {
      if (operation.id === 'collections.create') throw new Error('killed');
    };
    bench.write('collections: { c: { title: C } }');
    await bench.apply().catch(() => {});
    bench.after = () => {};
    const { items } = await bench.api.call(listCollections, { params: { organizationId: bench.world.org } });
    const why = `was being created when the run was killed; it is probably ${items[0]!.id}`;
    expect(await bench.undo()).toMatchObject({
      conflicts: [{ address: 'collection.c', why }],
      result: { rows: [] },
    });
    await bench.api.call(updateCollection, { params: { collectionId: items[0]!.id }, body: { title: 'D' } });
    expect((await bench.planUndo(0)).conflicts).toEqual([]);
    await bench.api.call(updateCollection, { params: { collectionId: items[0]!.id }, body: { title: 'C' } });
    expect(linesOf((await bench.planUndo(0, { force: true })).document)).toEqual(['delete collection.c']);
  });
});

it('undo refuses runs of another organization', async () => {
  const bench = await createUndoBench();
  await bench.bring('teams: { t: { title: T } }');
  const run = bench.run();
  expect(
    await problemIn(
      bench.planUndo(-1, { run: { ...run, head: { ...run.head, organization: bench.world.otherOrg } } }),
    ),
  ).toMatchObject({ reason: 'precondition-failed' });
});
