import { describe, expect, it } from 'vitest';
import type { ContentChange } from '../../src/content/changes.ts';
import type { Exported } from '../../src/manifest/export/export-organization.ts';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { listPages } from '../../src/resources/content/space-pages/contract.ts';
import { deleteSpace } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { applyTo, exportBench, planOf, textOf } from './export/export-bench.ts';
import { faultsIn } from './read/folder.ts';

const gone = '01J00000000000000000000000';
const usual = `
spaces: { guide: { title: Guide }, api: { title: API }, french: { title: French source } }
sites:
  docs:
    title: Docs
    siteSpaces:
      - { path: guide, space: !ref space.guide, default: true }
      - { path: api, space: !ref space.api }
    redirects:
      - { source: /a, space: !ref space.api }
      - { source: /b, space: !ref space.guide }
    customization:
      header:
        links:
          - { title: API, links: [], to: { kind: space, space: !ref space.api } }
          - { title: Guide, links: [], to: { kind: space, space: !ref space.guide } }
translations:
  french: { source: { space: !ref space.french, language: en }, language: fr }
`;

async function faultsOf(bench: Bench, text: string): Promise<string[]> {
  bench.write(text);
  return faultsIn(bench.plan());
}

/** An organization with a deleted space, to which a link, a redirect and a translation still refer. */
async function createDangling(): Promise<Bench> {
  const bench = await createBench();
  await bench.bring(usual);
  for (const address of ['space.api', 'space.french'])
    await bench.api.call(deleteSpace, { params: { spaceId: bench.lock!.resources[address]!.id } });
  return bench;
}

describe('an ID of no resource', () => {
  it.each([
    [`spaces: { g: { title: Guide, access: [{ team: team_${gone}, role: edit }] } }`, 'team'],
    [`spaces: { g: { title: Guide, parent: col_${gone} } }`, 'collection'],
    [`collections: { c: { title: Product, parent: col_${gone} } }`, 'collection'],
    [`sites: { d: { title: Docs, siteSpaces: [{ path: g, space: spc_${gone} }] } }`, 'space'],
    [`translations: { t: { source: { space: spc_${gone}, language: en }, language: fr } }`, 'space'],
    [`saml: { o: { label: Okta, defaultTeam: team_${gone} } }`, 'team'],
    [`members: { edit@acme.test: { role: edit, teams: [team_${gone}] } }`, 'team'],
    [`org: { settings: { defaultContent: { site: site_${gone} } } }`, 'site'],
    [`sites: { d: { title: Docs, redirects: [{ source: /a, space: spc_${gone} }] } }`, 'space'],
    [
      `sites: { d: { title: Docs, customization: { header: { links: [{ title: A, links: [], to: { kind: page, page: a, space: spc_${gone} } }] } } } }`,
      'space',
    ],
  ])('%s is refused at its position', async (text, kind) => {
    const bench = await createBench();
    const [id = ''] = /\w+_01J0+/.exec(text) ?? [];
    expect(await faultsOf(bench, text)).toEqual([
      expect.stringContaining(
        `org.yaml:2:${text.indexOf(id) + 1}: there is no ${kind} "${id}" that you can see; `,
      ),
    ]);
    expect(bench.calls.filter(({ operation }) => !operation.safe)).toEqual([]);
  });

  it('is refused in each item of a list, while known IDs beside it are accepted', async () => {
    const bench = await createBench();
    await bench.bring('teams: { writers: { title: Writers } }');
    const { id } = bench.lock!.resources['team.writers']!;
    const text = (...teams: string[]) =>
      `spaces: { g: { title: Guide, access: [${teams.map((team) => `{ team: ${team}, role: edit }`).join(', ')}] } }`;
    expect(await faultsOf(bench, text(id, `team_1${gone}`, `team_2${gone}`))).toHaveLength(2);
    bench.write(text(id));
    expect((await bench.apply()).rows.map(({ status }) => status)).toEqual(['done']);
  });

  it('is allowed in an export until its field is set', async () => {
    const bench = await createDangling();
    const exported = await exportBench(bench);
    expect(textOf(exported)).toMatch(/to: \{ kind: space, space: spc_/);
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const change = (from: string, to: string) => ({
      ...exported,
      files: new Map([...exported.files].map(([path, text]) => [path, text.replace(from, to)])),
    });
    // Only redirects that differ are set.
    const redirected = change('redirects:', 'redirects:\n      - { source: /c, space: !ref space.guide }');
    expect(linesOf(await planOf(bench, redirected))).toHaveLength(1);
    // All settings of a site are set together.
    expect(await faultsIn(planOf(bench, change('title: API', 'title: Reference')))).toEqual([
      expect.stringContaining(': there is no space "spc_'),
    ]);
  });

  it('is left out of portable exports, so that they can be applied elsewhere', async () => {
    const bench = await createDangling();
    const exported = await exportBench(bench, { portable: true });
    expect(textOf(exported)).not.toMatch(/(spc|sitesp|tra)_/);
    const why = 'only an ID names its space, which is not part of the export';
    expect(exported.notes).toEqual([
      `1 item of "customization" of site.docs was not exported: ${why}`,
      `1 item of "redirects" of site.docs was not exported: ${why}`,
      expect.stringMatching(`^translation\\.\\S+ was not exported: ${why}$`),
    ]);
    await settle(exported);
  });

  it('is left out of portable exports if it replaces the path of a page in a redirect', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const params = { spaceId: bench.lock!.resources['space.guide']!.id };
    const publish = async (change: ContentChange) => {
      const { id } = await bench.api.call(createChangeRequest, { params, body: {} });
      const inside = { ...params, changeRequestId: id };
      await bench.api.call(batchContent, { params: inside, body: { changes: [change] } });
      await bench.api.call(mergeChangeRequest, { params: inside });
    };
    await publish({ operation: 'insert_page', title: 'Start', slug: 'start', document: { markdown: '' } });
    await bench.bring(
      usual.replace('redirects:', 'redirects:\n      - { source: /c, space: !ref space.guide, path: start }'),
    );
    const { pages } = await bench.api.call(listPages, { params });
    await publish({ operation: 'delete_page', page: pages[0]!.id });
    const exported = await exportBench(bench, { portable: true });
    expect(textOf(exported)).not.toMatch(/pag_/);
    expect(exported.notes).toEqual([
      '1 item of "redirects" of site.docs was not exported: it leads to a page or section that is gone',
    ]);
    await settle(exported);
  });
});

/** Expects that applying an export creates the same in another organization. */
async function settle(exported: Exported): Promise<void> {
  const other = await createBench();
  await applyTo(other, exported, 4);
  expect(textOf(await exportBench(other, { portable: true }))).toBe(textOf(exported));
}
