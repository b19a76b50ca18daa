import { describe, expect, it } from 'vitest';
import type { ContentChange } from '../../../src/content/changes.ts';
import type { Problem } from '../../../src/errors/problem.ts';
import { findDrift, hasNoDrift } from '../../../src/manifest/find-drift.ts';
import { readPlan, writePlan } from '../../../src/manifest/saved-plan.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import {
  createSiteRedirect,
  listSiteRedirects,
  resolveSiteRedirect,
} from '../../../src/resources/site-redirects/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { desiredFaults } from '../desired.ts';
import { applyTo, exportBench, planOf, textOf } from '../export/export-bench.ts';
import { createUndoBench } from '../journal/undo-bench.ts';
import { problemIn } from '../read/folder.ts';
import { rehearseBench } from '../rehearse/rehearse-bench.ts';

const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;
const siteOf = (bench: Bench) => ({ organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') });

async function redirectsOf(bench: Bench, draft = false) {
  const { items } = await bench.api.call(listSiteRedirects, {
    params: siteOf(bench),
    query: { orderBy: 'source', draft, limit: 1000 },
  });
  return items;
}

/** Where visitors are led, without the address of the site. */
async function targetOf(bench: Bench, source: string): Promise<string> {
  const { target } = await bench.api.call(resolveSiteRedirect, { params: siteOf(bench), query: { source } });
  return target.replace(/^.*\/sites\/[^/]+\/[^/]+/, '');
}

function addPages(bench: Bench, address: string, ...slugs: string[]): Promise<void> {
  return changePages(
    bench,
    address,
    slugs.map((slug) => ({
      operation: 'insert_page' as const,
      type: 'document' as const,
      title: slug,
      slug,
      document: { markdown: `# ${slug}` },
    })),
  );
}

async function changePages(bench: Bench, address: string, changes: ContentChange[]): Promise<void> {
  const params = { spaceId: idOf(bench, address) };
  const { id } = await bench.api.call(createChangeRequest, { params, body: {} });
  await bench.api.call(batchContent, {
    params: { ...params, changeRequestId: id },
    body: { changes },
  });
  await bench.api.call(mergeChangeRequest, { params: { ...params, changeRequestId: id } });
}

it('a redirect leads to another path of its space if the section that showed it is deleted', async () => {
  const bench = await createBench();
  const text = (path: string, first: string) =>
    `spaces: { a: { title: A }, b: { title: B } }\nsites: { docs: { title: Docs, sections: [{ path: ${first}, title: First, space: !ref space.b }, { path: ${path}, title: Other, space: !ref space.a }], externalLinks: [{ title: Link, url: "https://x.test", after: ${first} }], redirects: [{ source: /old, space: !ref space.a }] } }`;
  await bench.bring(text('one', 'first'));
  bench.write(text('two', 'first'));
  const document = await bench.plan({ prune: true });
  expect(document.steps.flatMap(({ changes }) => changes.flatMap(({ says }) => says ?? []))).toContain(
    'set again, because sections or spaces of the site are deleted',
  );
  expect(() => readPlan(writePlan(document), 'plan.json')).not.toThrow();
  await bench.apply({ prune: true });
  expect(await targetOf(bench, '/old')).toContain('two');
  expect(linesOf(await bench.plan({ prune: true }))).toEqual([]);
});

const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);
const driftOf = (bench: Bench) =>
  findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });

const text = (redirects: string) => `
spaces: { guide: { title: Guide }, api: { title: API } }
sites:
  docs:
    title: Docs
    basename: docs
    published: true
    sections:
      - { path: guide, title: Guide, space: !ref space.guide }
      - { path: api, title: API, siteSpaces: [{ path: v2, space: !ref space.api, default: true }, { path: more, space: !ref space.guide }] }
    redirects:
${redirects}`;

const usual = text(`      - { source: /old, url: "https://example.com/new", permanent: true }
      - { source: /blog/*, url: "https://blog.example.com", captureWildcard: true }
      - { source: /reference, section: api }
      - { source: /manual, space: !ref space.guide }
      - { source: /again, space: !ref space.guide, section: api }
      - { source: /soon, section: guide, draft: true }
`);

describe('redirects in a manifest', () => {
  it('lead to URLs, sections and spaces of a site that the same apply creates', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    expect(await targetOf(bench, '/OLD')).toBe('https://example.com/new');
    expect(await targetOf(bench, '/blog/a/b')).toBe('https://blog.example.com/a/b');
    expect(await targetOf(bench, '/reference')).toBe('/api/');
    expect(await targetOf(bench, '/manual')).toBe('/');
    expect(await targetOf(bench, '/again')).toBe('/api/more/');
    expect((await redirectsOf(bench, true)).map(({ source }) => source)).toEqual(['/soon']);
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
  });

  it('lead to pages by their paths, and follow pages that get new paths', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    await addPages(bench, 'space.guide', 'start', 'install');
    const paged = text(`      - { source: /begin, space: !ref space.guide, path: /start }
      - { source: /setup, section: api, space: !ref space.guide, path: install }
`);
    await bench.bring(paged);
    expect(await targetOf(bench, '/begin')).toBe('/start');
    expect(await targetOf(bench, '/setup')).toBe('/api/more/install');
    expect(await redirectsOf(bench)).toHaveLength(2);
    await settled(bench);
    bench.write(paged.replace('/start', 'begin'));
    const { rows } = await bench.apply();
    expect(rows.find(({ status }) => status === 'failed')?.problem?.message).toBe(
      'The space "Guide" has no page "begin".',
    );
  });

  it('are changed only if they differ, deleted if they are no longer listed, and kept if not stated', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const before = await redirectsOf(bench);
    bench.write(
      usual.replace('example.com/new', 'example.com/newer').replace(/ {6}- \{ source: .manual.*\n/, ''),
    );
    expect(linesOf(await bench.plan())).toEqual([
      expect.stringMatching(/^update site.docs \(last\) redirects: /),
    ]);
    bench.forget();
    await bench.apply();
    expect(bench.changing.map(({ operation }) => operation.id)).toEqual(['sites.redirects.upsert']);
    expect(bench.changing[0]?.input.body).toMatchObject({
      redirects: [{ source: '/manual', destination: null }, { source: '/old' }],
    });
    const after = await redirectsOf(bench);
    const ids = before.filter(({ source }) => source !== '/manual').map(({ id }) => id);
    expect(after.map(({ id }) => id)).toEqual(ids);
    await bench.bring('sites: { docs: { title: Docs, basename: docs } }');
    expect(await redirectsOf(bench)).toHaveLength(ids.length);
    await bench.bring('sites: { docs: { title: Docs, basename: docs, redirects: [] } }');
    expect([await redirectsOf(bench), await redirectsOf(bench, true)]).toEqual([[], []]);
    await settled(bench);
  });

  it('show redirects that were created by hand', async () => {
    const bench = await createBench();
    await bench.bring(text('      - { source: /old, section: api }\n'));
    await bench.api.call(createSiteRedirect, {
      params: siteOf(bench),
      body: { source: '/by-hand', destination: { kind: 'external', url: 'https://example.com/' } },
    });
    const { resources } = await driftOf(bench);
    expect(resources).toMatchObject([
      {
        address: 'site.docs',
        changes: [
          {
            field: 'redirects',
            before: [{ source: '/old', section: 'api' }],
            after: [
              { source: '/old', section: 'api' },
              { source: '/by-hand', url: 'https://example.com/' },
            ],
          },
        ],
      },
    ]);
  });

  it('are exported, and are the same in an empty organization', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const exported = await exportBench(bench);
    expect(textOf(exported)).toContain('- { source: /again, section: api, space: !ref space.guide }');
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = await createBench();
    await applyTo(other, exported, 4);
    expect(textOf(await exportBench(other))).toBe(textOf(exported));
    // A deleted destination is written as its ID.
    await addPages(bench, 'space.guide', 'start');
    await bench.bring(text('      - { source: /begin, space: !ref space.guide, path: start }\n'));
    const [{ destination } = {}] = await redirectsOf(bench);
    const pageId = (destination as { readonly pageId: string }).pageId;
    await changePages(bench, 'space.guide', [{ operation: 'delete_page', page: pageId }]);
    const dangling = await exportBench(bench);
    expect(textOf(dangling)).toContain(`- { source: /begin, space: !ref space.guide, path: ${pageId} }`);
    expect(linesOf(await planOf(bench, dangling))).toEqual([]);
  });

  it('are rehearsed like they are applied, and can be undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(usual);
    const before = textOf(await exportBench(bench));
    bench.write(
      text(
        '      - { source: /old, url: "https://example.com/new" }\n      - { source: /a, section: guide }\n',
      ),
    );
    const { rows, unsettled, notCopied } = await rehearseBench(bench);
    expect(rows.map(({ key, status }) => [key, status])).toEqual([['site.docs (last)', 'done']]);
    expect([unsettled, notCopied]).toEqual([[], []]);
    await bench.apply();
    expect((await redirectsOf(bench)).map(({ source }) => source)).toEqual(['/a', '/old']);
    await bench.undo();
    expect(textOf(await exportBench(bench))).toBe(before);
  });

  it('are restored with a site whose deletion is undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(usual);
    const before = textOf(await exportBench(bench));
    await bench.bring('spaces: { guide: { title: Guide }, api: { title: API } }\nsites: {}', {
      prune: true,
      maxDeletes: 100,
    });
    await bench.undo();
    expect(textOf(await exportBench(bench))).toBe(before);
  });

  it('report mistakes with their positions', async () => {
    const faults = (redirect: string) =>
      desiredFaults(`spaces: { guide: { title: Guide } }
sites:
  docs:
    redirects:
      - ${redirect}`);
    expect(await faults('{ source: old, url: "https://example.com" }')).toEqual([
      'org.yaml:6:19: "old" is not a path of a site, such as /old/page or /old/*; write characters other than letters, digits and -._~+ as %XX',
    ]);
    expect(await faults('{ source: /old }')).toEqual([
      'org.yaml:6:9: this needs a destination: "url", "section" or "space"',
    ]);
    expect(await faults('{ source: /old, url: "https://example.com", section: guide }')).toEqual([
      'org.yaml:6:30: a redirect leads to a URL or into the site; remove one of the two',
    ]);
    expect(await faults('{ source: /old, url: "ftp://example.com/" }')).toEqual([
      'org.yaml:6:30: a redirect can lead only to a URL that starts with https:// or http://',
    ]);
    expect(await faults('{ source: /old, section: guide, path: start }')).toEqual([
      'org.yaml:6:47: "path" names a page of a space; add "space"',
    ]);
    expect(await faults('{ source: /old, section: guide, captureWildcard: true }')).toEqual([
      'org.yaml:6:58: the source "/old" has no star, so there is nothing to append; end it with a star, or remove "captureWildcard"',
    ]);
    expect(await faults('{ source: /old, space: guide }')).toEqual([
      'org.yaml:6:32: "guide" is not an ID; did you mean !ref space.guide?',
    ]);
    expect(await faults('{ source: /old, section: a }\n      - { source: /OLD, section: b }')).toEqual([
      'org.yaml:7:19: a redirect from "/OLD" is already listed',
    ]);
  });

  it('are refused by a plan if they lead to sections or spaces that the site does not have', async () => {
    const bench = await createBench();
    const faultsOf = async (redirect: string) => {
      bench.write(
        text(`      - { source: /old, ${redirect} }\n`).replace(
          'spaces: {',
          'spaces: { other: { title: Other },',
        ),
      );
      return bench.plan().then(
        () => [],
        ({ violations }: Problem) => violations?.map(({ path, message }) => `${path} ${message}`),
      );
    };
    for (const bring of [false, true]) {
      if (bring) await bench.bring(text('      []'));
      expect(await faultsOf('section: none')).toEqual([
        expect.stringMatching(/^org.yaml:\d+:34 the site has no section with the path "none"$/),
      ]);
      expect(await faultsOf('space: !ref space.other')).toEqual([
        expect.stringMatching(/the site does not show this space$/),
      ]);
      expect(await faultsOf('section: guide, space: !ref space.api')).toEqual([
        expect.stringMatching(/the section "guide" does not show this space$/),
      ]);
      expect(await faultsOf('section: guide, space: !ref space.guide')).toEqual([]);
    }
  });

  it('report the ones that the backend refuses, and set the others', async () => {
    const bench = await createBench();
    const loop = 'http://localhost:8080/sites/acme/docs/b';
    bench.write(text(`      - { source: /b, url: "${loop}" }\n      - { source: /c, section: guide }\n`));
    const [refused] = (await bench.apply()).rows.filter(({ status }) => status !== 'done');
    expect(refused?.problem?.message).toMatch(
      /^The redirect from "\/b" was refused: The redirect would lead back/,
    );
    expect((await redirectsOf(bench)).map(({ source }) => source)).toEqual(['/c']);
  });

  it('make a saved plan stale if they have changed since', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const { verifyPlan } = await import('../../../src/manifest/verify-plan.ts');
    bench.write(usual.replace('example.com/new', 'example.com/newer'));
    const document = await bench.plan();
    const request = { document, api: bench.api, state: readState(bench.lockOptions), concurrency: 4 };
    await verifyPlan(request);
    await bench.api.call(createSiteRedirect, {
      params: siteOf(bench),
      body: { source: '/by-hand', destination: { kind: 'external', url: 'https://example.com/' } },
    });
    expect((await problemIn(verifyPlan(request))).violations).toEqual([
      { path: 'site.docs (last)', message: `"redirects" of ${idOf(bench, 'site.docs')} has changed` },
    ]);
  });

  it('are read and sent with a few calls, even if there are 500', async () => {
    const bench = await createBench();
    const many = (host: string) =>
      text(
        Array.from(
          { length: 500 },
          (_, index) => `      - { source: /old/${index}, url: "https://${host}/${index}" }\n`,
        ).join(''),
      );
    await bench.bring(many('one.example'));
    bench.write(many('two.example'));
    bench.forget();
    await bench.apply();
    const hosts = (await redirectsOf(bench)).map(
      ({ destination }) => /\w+\.example/.exec(JSON.stringify(destination))?.[0],
    );
    expect(new Set(hosts)).toEqual(new Set(['two.example']));
    const ids = bench.calls.map(({ operation }) => operation.id).filter((id) => id.includes('redirects'));
    expect(ids).toEqual([
      // The plan lists live redirects and drafts.
      'sites.redirects.list',
      'sites.redirects.list',
      'sites.redirects.list',
      'sites.redirects.list',
      'sites.redirects.upsert',
      // The call of the test itself.
      'sites.redirects.list',
    ]);
  });
});
