import { beforeAll, describe, expect, it } from 'vitest';
import { editRevision, readPage } from '../../src/content/revisions.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { spaces } from '../../src/core/rows/spaces.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { checkSite, siteRules, type SiteFinding } from '../../src/static-site/check-site.ts';
import { readPageFacts } from '../../src/static-site/page-facts.ts';
import { publishedSite, type PublishedSite } from '../publishing/published-site.ts';
import { siteWithCoveredPages } from './built-site.ts';

const check = async ({ world, site }: PublishedSite, claims?: object): Promise<readonly SiteFinding[]> =>
  (
    await checkSite({
      api: world.as('admin'),
      ...site,
      ...(claims === undefined ? {} : { claims: JSON.stringify(claims) }),
    })
  ).findings;

describe('a check of a site', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishedSite([
      {
        title: 'Welcome',
        text: '[Gone](gone.md), ![Logo](logo.png), [setup](setup.md#install), [nowhere](setup.md#nowhere), [here](#no), [web](https://example.com/), [found](found.md), ![](dot.png).\n\n#### Deep',
      },
      {
        title: 'Setup',
        text: '## Install\n\n### More\n\n![](https://example.com/a.png)\n\n![A dot](https://example.com/b.png)',
      },
      { title: 'Twin', text: 'One.' },
      { title: 'Twin', text: 'Two.\n\n## One\n\n#### Three' },
      { title: 'Lost', text: 'Nobody comes here.', hidden: true },
      { title: 'Found', text: 'Linked.', hidden: true },
    ]);
  });

  it('reports problems of pages with their paths', async () => {
    const found = (await check(site)).map(({ rule, page, detail }) => `${page} ${rule}: ${detail}`);
    expect(found.sort()).toEqual([
      '/ broken-anchor: /setup has no anchor #nowhere',
      '/ broken-anchor: the page has no anchor #no',
      '/ broken-link: "Gone" leads to nothing on the site: gone.md',
      '/ broken-link: "Image not found" leads to nothing on the site: dot.png',
      '/ broken-link: "Logo" leads to nothing on the site: logo.png',
      '/lost orphan-page: it is in no table of contents, and no other page links to it',
      '/setup image-without-text: the image a.png has no text',
      '/twin duplicate-title: "Twin" is the title of /twin-1 as well',
      '/twin-1 duplicate-title: "Twin" is the title of /twin as well',
      '/twin-1 skipped-heading: a heading of level 4 follows one of level 2',
    ]);
  });

  it('reports operations that their specification does not have, or that have no specification', async () => {
    const operation = (spec: string, path: string) =>
      `{% openapi-operation spec="${spec}" path="${path}" method="get" %}\n[Pets](https://example.com/)\n{% endopenapi-operation %}`;
    const pets = await publishedSite([
      {
        title: 'Pets',
        text: ['/pets', '/gone'].map((path) => operation('pets', path)).join('\n\n'),
      },
      { title: 'Cats', text: operation('cats', '/cats') },
    ]);
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } },
    });
    const { organizationId } = pets.site;
    await pets.call(createSpec, { organizationId }, { body: { slug: 'pets', source: { text } } });
    await runDueJobs(pets.world.core, { signal: new AbortController().signal });
    expect((await check(pets)).map(({ rule, page, detail }) => `${page} ${rule}: ${detail}`)).toEqual([
      '/ missing-operation: no specification has the operation "get /gone"',
      '/cats missing-operation: no specification has the operation "get /cats"',
    ]);
  });

  it('reports nothing for a correct site', async () => {
    const fine = await publishedSite([
      { title: 'Welcome', text: 'See [setup](setup.md#install).\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
      {
        title: 'Setup',
        text: '## Install\n\n```js\nconst one = 1;\n```\n\n{% tabs %}\n{% tab title="A" %}\nText\n{% endtab %}\n{% endtabs %}',
      },
    ]);
    expect(await check(fine)).toEqual([]);
  });

  it('does not report duplicate titles in different spaces, even if the spaces have the same title', async () => {
    const twins = await publishedSite([{ title: 'Welcome', text: 'One.' }]);
    const spaceId = await twins.addSpace('Guide', [{ title: 'Welcome', text: 'Two.' }]);
    await twins.call(addSiteSpace, twins.site, { body: { spaceId } });
    expect(await check(twins)).toEqual([]);
  });

  it.each([
    ['the first page of the space', [], '/'],
    ['another page', [{ title: 'Welcome', text: 'See [upper](foo.md).' }], '/Foo'],
  ])('reports pages of older stores whose paths differ only in case from %s', async (_, before, upper) => {
    const old = await publishedSite([
      ...before,
      { title: 'Upper', text: '[Gone](gone.md)', slug: 'Foo' },
      { title: 'Lower', text: 'Lower case.' },
    ]);
    const { store, newId, clock } = old.world.core;
    await store.write(async (tx) => {
      const { revision: base } = (await tx.get(spaces, old.spaceId))!;
      const page = (await readPage(tx, base, old.pages.get('Lower')!))!;
      const context = {
        now: new Date(clock()).toISOString(),
        newId,
        caller: { user: { id: 'usr_1' } } as never,
      };
      const changes = new Map([[page.id, { ...page, slug: 'foo' }]]);
      const revision = await editRevision(tx, context, { base, space: old.spaceId, changes });
      await tx.update(spaces, old.spaceId, { revision });
    });
    expect((await check(old)).map(({ rule, page, detail }) => `${page} ${rule}: ${detail}`)).toEqual([
      `${upper} broken-link: "Gone" leads to nothing on the site: gone.md`,
      `/foo duplicate-path: visitors get ${upper}, whose path is the same: upper and lower case count as equal`,
    ]);
  });

  it('reports pages at the paths of another section', async () => {
    const covered = await siteWithCoveredPages();
    expect(
      (await check(covered)).map(({ rule, page, space, detail }) => [page, space, rule, detail]),
    ).toEqual(
      ['/api', '/api/users', '/api/more'].map((page) => [
        page,
        'Guide',
        'duplicate-path',
        'the paths below /api/ belong to another space',
      ]),
    );
  });

  it('checks the site as a visitor with the given claims', async () => {
    const adaptive = await publishedSite(
      [
        { title: 'Welcome', text: 'See [pro](pro.md).' },
        { title: 'Pro', text: 'Text.', condition: 'visitor.claims.plan == "pro"' },
      ],
      { adaptiveContent: { enabled: true } },
    );
    await expect(check(adaptive)).rejects.toMatchObject({ reason: 'invalid-input' });
    expect((await check(adaptive, {})).map(({ rule, detail }) => `${rule}: ${detail}`)).toEqual([
      'broken-link: "pro" leads to nothing on the site: pro.md',
    ]);
    expect(await check(adaptive, { plan: 'pro' })).toEqual([]);
  });
});

describe('the rules for a page', () => {
  const faults = (html: string): string[] => readPageFacts(html).faults.map(({ rule }) => rule);
  const page = (content: string): string =>
    `<!doctype html><html lang="en"><body><main><article><h1>Title</h1><div class="content">${content}</div></article></main></body></html>`;

  it.each([
    ['<p id="a"></p><p id="a"></p>', 'duplicate-id'],
    ['<a href="/x"><svg><path d=""/></svg></a>', 'empty-link'],
    ['<button type="button"> </button>', 'empty-link'],
    ['<iframe src="x"></iframe>', 'frame-without-title'],
    ['<img src="a.png" alt="">', 'image-without-text'],
    ['<img src="a.png">', 'image-without-text'],
    ['<input type="text" name="q">', 'missing-label'],
    ['<label for="q">Q</label><input id="other" name="q">', 'missing-reference'],
    ['<p aria-describedby="x">Text</p>', 'missing-reference'],
    ['<h2>A</h2><h4>B</h4>', 'skipped-heading'],
    ['<h2>A</h2><h3 class="h4">B</h3>', 'skipped-heading'],
    ['<table><tr><td>1</td></tr></table>', 'table-without-headers'],
    ['<span class="broken-link">Text</span>', 'broken-link'],
  ])('report the problem of %s', (html, rule) => {
    expect(faults(page(html))).toContain(rule);
  });

  it('report a missing title and a missing language', () => {
    expect(faults('<html><body><article><h1> </h1></article></body></html>')).toEqual([
      'missing-language',
      'missing-title',
    ]);
  });

  it('report nothing if everything has a name', () => {
    const html = [
      '<a href="/x" aria-label="Go"><svg></svg></a><a href="/y"><img src="a.png" alt="Go"></a>',
      '<label for="q">Q</label><input id="q"><input type="hidden" name="h"><input aria-label="Z">',
      '<table><tr><th>1</th></tr><tr><td>2</td></tr></table><h2>A</h2><h3>B</h3><h2>C</h2>',
      '<iframe title="Film" src="x"></iframe><p>1 < 2 & <br> <!-- <a href="/z"></a> --> text</p>',
    ].join('');
    expect(faults(page(html))).toEqual([]);
  });

  it('are in alphabetical order', () => {
    expect(Object.keys(siteRules)).toEqual(Object.keys(siteRules).sort());
  });
});
