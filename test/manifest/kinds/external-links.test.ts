import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/errors/problem.ts';
import { findDrift, hasNoDrift } from '../../../src/manifest/find-drift.ts';
import { readPlan, writePlan } from '../../../src/manifest/saved-plan.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import {
  addExternalLink,
  listExternalLinks,
  updateExternalLink,
} from '../../../src/resources/site-external-links/contract.ts';
import { getSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { desiredFaults } from '../desired.ts';
import { applyTo, exportBench, planOf, textOf } from '../export/export-bench.ts';
import { createUndoBench } from '../journal/undo-bench.ts';
import { rehearseBench } from '../rehearse/rehearse-bench.ts';

const siteOf = (bench: Bench) => ({
  organizationId: bench.world.org,
  siteId: bench.lock!.resources['site.docs']!.id,
});

const linksOf = async (bench: Bench) =>
  (await bench.api.call(listExternalLinks, { params: siteOf(bench) })).items;

interface Item {
  readonly title: string;
  readonly children?: readonly Item[];
}

/** The titles of the structure of a site in order: `Guide Dev[API Forum] Status`. */
async function shapeOf(bench: Bench): Promise<string> {
  const { structure } = await bench.api.call(getSiteStructure, { params: siteOf(bench) });
  const shape = (items: readonly Item[]): string =>
    items
      .map(({ title, children }) => (children === undefined ? title : `${title}[${shape(children)}]`))
      .join(' ');
  return shape(structure);
}

const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);
const driftOf = (bench: Bench) =>
  findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });

const section = (path: string, title: string, more = '') =>
  `      - { path: ${path}, title: ${title}, space: !ref space.guide${more} }\n`;
const guide = section('guide', 'Guide');
const api = section('api', 'API', ', group: dev');
const news = section('news', 'News');

const text = (links: string, sections = guide + api + news) => `
spaces: { guide: { title: Guide } }
sites:
  docs:
    title: Docs
    groups: { dev: { title: Dev } }
    sections:
${sections}    externalLinks:${links === '' ? ' []' : `\n${links}`}`;

const usual = text(`      - { title: Home, url: "https://example.com", after: null }
      - { title: Status, url: "https://status.example.com", after: guide, icon: bell, description: Is it up? }
      - { title: Blog, url: "https://blog.example.com", after: guide, draft: true }
      - { title: Forum, url: "https://forum.example.com", group: Dev, after: api }
      - { title: Shop, url: "https://shop.example.com", after: api }
`);

it('a saved plan places external links again if the order of the sections changes', async () => {
  const bench = await createBench();
  const text = (...paths: string[]) =>
    `spaces: { a: { title: A }, b: { title: B } }\nsites: { docs: { title: Docs, sections: [${paths.map((path) => `{ path: ${path}x, title: ${path}${path}, space: !ref space.${path} }`).join(', ')}], externalLinks: [{ title: Link, url: "https://x.test", after: ax }] } }`;
  await bench.bring(text('a', 'b'));
  bench.write(text('b', 'a'));
  const document = await bench.plan();
  expect(document.steps.flatMap(({ changes }) => changes.map(({ says }) => says))).toEqual([
    'placed again, because the order of the sections changes',
  ]);
  expect(readPlan(writePlan(document), 'plan.json').steps).toEqual(document.steps);
});

describe('external links in a manifest', () => {
  it('are placed among the sections and groups that the same apply creates', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    expect(await shapeOf(bench)).toBe('Home Guide Status Blog Dev[API Forum] Shop News');
    expect(await linksOf(bench)).toMatchObject([
      { title: 'Home', url: 'https://example.com', draft: false },
      { title: 'Status', icon: 'bell', description: 'Is it up?' },
      { title: 'Blog', draft: true },
      { title: 'Shop' },
      { title: 'Forum' },
    ]);
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
  });

  it('are changed only if they differ, and keep their IDs', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const before = await linksOf(bench);
    bench.write(
      usual
        .replace('status.example.com', 'state.example.com')
        .replace(/ {6}- \{ title: Shop.*\n/, '')
        .replace(
          'title: Blog, url: "https://blog.example.com", after: guide',
          'title: Blog, url: "https://blog.example.com", after: news',
        ),
    );
    expect(linesOf(await bench.plan())).toEqual([
      expect.stringMatching(/^update site.docs \(last\) externalLinks: /),
    ]);
    bench.forget();
    await bench.apply();
    expect(bench.changing.map(({ operation, input }) => [operation.id, input.body])).toEqual([
      ['sites.external-links.delete', undefined],
      ['sites.external-links.update', { url: 'https://state.example.com' }],
      ['sites.sort', expect.anything()],
    ]);
    expect(await shapeOf(bench)).toBe('Home Guide Status Dev[API Forum] News Blog');
    const ids = new Set(before.map(({ id }) => id));
    expect((await linksOf(bench)).every(({ id }) => ids.has(id))).toBe(true);
    await settled(bench);
  });

  it('follow their section when sections are moved, added and put into groups', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const moved = usual.replace(guide + api + news, news + section('more', 'More') + api + guide);
    bench.write(moved);
    expect(linesOf(await bench.plan()).join('\n')).toContain('update site.docs (last) externalLinks');
    await bench.bring(moved);
    expect(await shapeOf(bench)).toBe('Home News More Dev[API Forum] Shop Guide Status Blog');
    await settled(bench);
    const grouped = moved.replace(news, section('news', 'News', ', group: dev'));
    await bench.bring(grouped);
    expect(await shapeOf(bench)).toBe('Home Dev[News API Forum] Shop More Guide Status Blog');
    await settled(bench);
  });

  it('can all be moved before the first section', async () => {
    const bench = await createBench();
    const links = (titles: readonly string[], after: string) =>
      titles
        .map(
          (title) =>
            `      - { title: ${title}, url: "https://${title.toLowerCase()}.test", after: ${after} }`,
        )
        .join('\n');
    await bench.bring(text(links(['Two', 'One'], 'guide'), guide + api));
    expect(await shapeOf(bench)).toBe('Guide Two One Dev[API]');
    await bench.bring(text(links(['One', 'Two'], 'null'), guide + api));
    expect(await shapeOf(bench)).toBe('One Two Guide Dev[API]');
  });

  it('keep their positions if the manifest states no position, or no links', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const placeless = text(
      `      - { title: Shop, url: "https://shop.example.com" }
      - { title: Home, url: "https://example.com" }
      - { title: New, url: "https://new.example.com" }
`,
    );
    await bench.bring(placeless);
    expect(await shapeOf(bench)).toBe('Home Guide Dev[API] Shop News New');
    await settled(bench);
    await bench.bring('sites: { docs: { title: Docs } }');
    expect(await linksOf(bench)).toHaveLength(3);
    await bench.bring(text(''));
    expect(await linksOf(bench)).toEqual([]);
    await settled(bench);
  });

  it('are placed among the sections that remain when others are deleted', async () => {
    const bench = await createBench();
    await bench.bring(text('', guide + news));
    const links = text(
      `      - { title: Status, url: "https://status.example.com" }
      - { title: Forum, url: "https://forum.example.com", after: guide }
`,
      guide,
    );
    await bench.bring(links, { prune: true });
    expect(await shapeOf(bench)).toBe('Guide Dev[] Status Forum');
    await settled(bench);
  });

  it('follow sections that move up because the group around them is deleted', async () => {
    const bench = await createBench();
    await bench.bring(text('', guide + api + news));
    const links = text(
      `      - { title: Status, url: "https://status.example.com", after: api }
      - { title: Forum, url: "https://forum.example.com", after: guide }
`,
      guide + section('api', 'API') + news,
    ).replace('groups: { dev: { title: Dev } }', 'groups: {}');
    await bench.bring(links, { prune: true });
    expect(await shapeOf(bench)).toBe('Guide Forum API Status News');
    await settled(bench);
  });

  it('show changes made by hand', async () => {
    const bench = await createBench();
    await bench.bring(text('      - { title: Status, url: "https://status.example.com", after: guide }\n'));
    const [{ id: siteExternalLinkId } = { id: '' }] = await linksOf(bench);
    await bench.api.call(updateExternalLink, {
      params: { ...siteOf(bench), siteExternalLinkId },
      body: { draft: true },
    });
    await bench.api.call(addExternalLink, {
      params: siteOf(bench),
      body: { title: 'By hand', url: 'https://example.com/' },
    });
    const status = { title: 'Status', url: 'https://status.example.com', after: 'guide' };
    expect((await driftOf(bench)).resources).toMatchObject([
      {
        address: 'site.docs',
        changes: [
          {
            field: 'externalLinks',
            before: [status],
            after: [
              { ...status, draft: true },
              { title: 'By hand', url: 'https://example.com/', after: 'news' },
            ],
          },
        ],
      },
    ]);
    await bench.apply();
    expect(await shapeOf(bench)).toBe('Guide Status Dev[API] News');
  });

  it('are exported, and are the same in an empty organization', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const exported = await exportBench(bench);
    expect(textOf(exported)).toContain(
      '- { title: Forum, url: https://forum.example.com, group: Dev, after: api }',
    );
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = await createBench();
    await applyTo(other, exported, 4);
    expect(textOf(await exportBench(other))).toBe(textOf(exported));
  });

  it('are rehearsed like they are applied, and can be undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(usual);
    const before = [await shapeOf(bench), textOf(await exportBench(bench))];
    bench.write(
      text(
        '      - { title: Blog, url: "https://blog.example.com", group: Dev, after: null }\n      - { title: Wiki, url: "https://wiki.example.com", after: guide }\n',
        api + news + guide,
      ),
    );
    const { rows, unsettled, notCopied } = await rehearseBench(bench);
    expect(rows.filter(({ status }) => status !== 'done')).toEqual([]);
    expect([unsettled, notCopied]).toEqual([[], []]);
    await bench.apply();
    expect(await shapeOf(bench)).toBe('Dev[Blog API] News Guide Wiki');
    await bench.undo();
    expect([await shapeOf(bench), textOf(await exportBench(bench))]).toEqual(before);
    await bench.bring(usual.replace(guide + api + news, news + api + guide));
    await bench.undo();
    expect([await shapeOf(bench), textOf(await exportBench(bench))]).toEqual(before);
  });

  it('report mistakes with their positions', async () => {
    const faults = (link: string, shown = 'sections: []') =>
      desiredFaults(`sites:
  docs:
    ${shown}
    externalLinks:
      - ${link}`);
    expect(await faults('{ title: Status, url: "ftp://example.com" }')).toEqual([
      'org.yaml:6:31: an external link leads to a URL that starts with https:// or http://',
    ]);
    expect(await faults('{ title: Status, url: "https://example.com", condition: "a ==" }')).toEqual([
      expect.stringMatching(/^org.yaml:6:65: the condition is not valid/),
    ]);
    expect(
      await faults('{ title: Status, url: "https://a.test" }', 'siteSpaces: [{ path: a, space: spc_1 }]'),
    ).toEqual([
      'org.yaml:5:5: a site without sections cannot have external links; put the site spaces into a section',
    ]);
  });

  it('are refused by a plan if their position will not exist after the apply', async () => {
    const url = 'url: "https://example.com"';
    const faultsOf = async (bench: Bench, link: string, sections?: string, options = {}) => {
      bench.write(text(`      - ${link}\n`, sections));
      return bench.plan(options).then(
        () => [],
        ({ violations }: Problem) => violations?.map(({ message }) => message),
      );
    };
    const bench = await createBench(text(''));
    const nowhere = `{ title: Status, ${url}, after: nowhere }`;
    const outside = `{ title: Status, ${url}, group: Dev, after: guide }`;
    const noSection = ['the site has no section with the path "nowhere"'];
    const notInside = ['the section "guide" is not in the group "Dev"'];
    for (const bring of [false, true]) {
      if (bring) await bench.bring(text(''));
      expect(await faultsOf(bench, nowhere)).toEqual(noSection);
      expect(await faultsOf(bench, outside)).toEqual(notInside);
      expect(await faultsOf(bench, `{ title: Status, ${url}, group: Developers }`)).toEqual([
        'the site has no section group "Developers"',
      ]);
      expect(await faultsOf(bench, `{ title: Status, ${url}, group: Dev, after: api }`)).toEqual([]);
    }
    // A section that the manifest no longer has remains unless the apply deletes it.
    const afterNews = `{ title: Status, ${url}, after: news }`;
    expect(await faultsOf(bench, afterNews, guide + api)).toEqual([]);
    expect(await faultsOf(bench, afterNews, guide + api, { prune: true })).toEqual([
      'the site has no section with the path "news"',
    ]);
    const grouped = section('guide', 'Guide', ', group: dev');
    expect(await faultsOf(bench, outside, grouped + api)).toEqual([]);
  });

  it('keep their positions if several are equal, whichever of them states its position', async () => {
    for (const places of [
      [undefined, 'news'],
      ['news', undefined],
      [undefined, undefined, 'news'],
    ]) {
      const bench = await createBench();
      const links = places.map(
        (after) =>
          `      - { title: Status, url: "https://example.com"${after === undefined ? '' : `, after: ${after}`} }\n`,
      );
      await bench.bring(text(links.join('')));
      await settled(bench);
    }
  });

  it('get the same positions after a run that was killed between creating and placing them', async () => {
    const manifest = text('      - { title: Status, url: "https://a.test" }\n', guide + news);
    const straight = await createBench();
    await straight.bring(manifest);
    const bench = await createBench(manifest);
    bench.after = ({ operation }) => {
      if (operation.id === addExternalLink.id) throw new Error('killed');
    };
    await bench.apply().catch((error: Error) => expect(error.message).toBe('killed'));
    bench.after = () => {};
    await bench.bring(manifest);
    expect(await shapeOf(bench)).toBe(await shapeOf(straight));
    await settled(bench);
  });
});
