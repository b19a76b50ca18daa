import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { findDrift, hasNoDrift } from '../../../src/manifest/find-drift.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import {
  getSiteCustomization,
  getSiteSpaceCustomization,
  overrideSiteSpaceCustomization,
  replaceSiteCustomization,
} from '../../../src/resources/site-customization/contract.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { deleteSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld } from '../../support/world.ts';
import { Bench, createBench, linesOf } from '../bench.ts';
import { desiredFaults } from '../desired.ts';
import { applyTo, exportBench, planOf, textOf } from '../export/export-bench.ts';
import { createUndoBench } from '../journal/undo-bench.ts';
import { folderOf } from '../read/folder.ts';
import { rehearseBench } from '../rehearse/rehearse-bench.ts';

const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;
const siteOf = (bench: Bench) => ({ organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') });
const spaceOf = (bench: Bench) => ({ ...siteOf(bench), siteSpaceId: idOf(bench, 'site-space.docs/de') });
const lookOf = (bench: Bench) => bench.api.call(getSiteCustomization, { params: siteOf(bench) });
const lookOfSpace = (bench: Bench) => bench.api.call(getSiteSpaceCustomization, { params: spaceOf(bench) });
const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);
const driftOf = (bench: Bench) =>
  findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });

const text = `
spaces: { en: { title: Guide }, de: { title: Handbuch } }
sites:
  docs:
    title: Docs
    adaptive:
      enabled: true
      jsonSchema: { type: object, additionalProperties: false, properties: { beta: { type: boolean, description: In the beta } } }
    customization:
      title: Acme Docs
      styling: { theme: bold, corners: rounded, sidebar: { list: pill } }
      header:
        links:
          - { title: Handbuch, to: { kind: space, space: !ref space.de }, links: [], condition: visitor.claims.beta == true }
    siteSpaces:
      - { path: en, space: !ref space.en, default: true }
      - path: de
        space: !ref space.de
        customization: { title: Acme Handbuch, internationalization: { locale: de }, styling: { theme: bold } }
`;

describe('customization in a manifest', () => {
  it('sets the appearance of a site and of a space in it, and the next plan is empty', async () => {
    const bench = await createBench();
    await bench.bring(text);
    expect(await lookOf(bench)).toMatchObject({
      title: 'Acme Docs',
      styling: { theme: 'bold', corners: 'rounded', sidebar: { list: 'pill', background: 'default' } },
      header: { links: [{ title: 'Handbuch', to: { kind: 'space', space: idOf(bench, 'space.de') } }] },
    });
    expect(await lookOfSpace(bench)).toMatchObject({
      hasOverrides: true,
      title: 'Acme Handbuch',
      internationalization: { locale: 'de' },
    });
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
  });

  it('resets the settings that it leaves out to their defaults', async () => {
    const bench = await createBench();
    await bench.bring(text);
    await bench.bring(
      text
        .replace('title: Acme Docs\n', 'title: Docs of Acme\n')
        .replace(
          '{ theme: bold, corners: rounded, sidebar: { list: pill } }',
          '{ theme: gradient, corners: null }',
        )
        .replace('title: Acme Handbuch, internationalization: { locale: de }, ', ''),
    );
    expect(await lookOf(bench)).toMatchObject({
      title: 'Docs of Acme',
      styling: { theme: 'gradient', sidebar: { list: 'default' } },
    });
    // The space overrides only the theme now.
    expect(await lookOfSpace(bench)).toMatchObject({
      title: 'Docs of Acme',
      internationalization: { locale: 'en' },
      styling: { theme: 'bold' },
      hasOverrides: true,
    });
    await settled(bench);
    await bench.bring(
      text
        .replace(/ {4}customization:\n(?: {6}.*\n)*/, '    customization: {}\n')
        .replace(/customization: \{ title.*/, 'customization: {}'),
    );
    const look = await lookOf(bench);
    expect([look.title, look.styling.theme, look.header.links]).toEqual([undefined, 'clean', []]);
    expect((await lookOfSpace(bench)).hasOverrides).toBe(false);
    await settled(bench);
  });

  it('stays unchanged if it is not stated, and shows changes made by hand', async () => {
    const bench = await createBench();
    await bench.bring(text);
    await bench.api.call(replaceSiteCustomization, {
      params: siteOf(bench),
      body: { title: 'By hand' },
    });
    await bench.api.call(overrideSiteSpaceCustomization, {
      params: spaceOf(bench),
      body: { themes: { default: 'dark' } },
    });
    const { resources } = await driftOf(bench);
    expect(resources.map(({ address, changes }) => [address, changes[0]?.field, changes[0]?.after])).toEqual([
      ['site.docs', 'customization', { title: 'By hand' }],
      [
        'site-space.docs/de',
        'customization',
        {
          title: 'Acme Handbuch',
          internationalization: { locale: 'de' },
          styling: { theme: 'bold' },
          themes: { default: 'dark' },
        },
      ],
    ]);
    await bench.bring(
      text.replace(/ {4}customization:\n(?: {6}.*\n)*/, '').replace(/, customization: .*/, '}'),
    );
    expect((await lookOf(bench)).title).toBe('By hand');
    await bench.bring(text);
    await settled(bench);
    expect((await lookOfSpace(bench)).themes.default).toBe('light');
  });

  it('finds overrides if the backend shows only the effective settings', async () => {
    const world = await createWorld();
    const whole = world.as('admin');
    const call = (async (operation, input, options) => {
      const answer = await whole.call(operation, input, options);
      if (operation.id !== 'sites.customization.get-space') return answer;
      const { overrides: _, ...shown } = answer as Record<string, unknown>;
      return shown;
    }) as Api['call'];
    const bench = new Bench(world, folderOf({}), { ...whole, call });
    await bench.bring(text);
    // The theme equals that of the site, and counts as stated.
    await settled(bench);
    await bench.bring(text.replace('title: Acme Handbuch, ', '').replace('locale: de', 'locale: fr'));
    expect(await lookOfSpace(bench)).toMatchObject({
      title: 'Acme Docs',
      internationalization: { locale: 'fr' },
    });
    await settled(bench);
  });

  it('is exported, and is the same in an empty organization', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const exported = await exportBench(bench);
    expect(textOf(exported)).toContain('space: !ref space.handbuch');
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = await createBench();
    await applyTo(other, exported, 4);
    expect(textOf(await exportBench(other))).toBe(textOf(exported));
  });

  it('refers to images in spaces by the names of their files', async () => {
    const bench = await createBench();
    const logo = (name: string) => `
spaces: { guide: { title: Guide } }
sites:
  docs:
    title: Docs
    customization:
      header: { links: [], logo: { light: { kind: file, space: !ref space.guide, file: ${name} }, dark: https://example.com/dark.png } }
    siteSpaces: [{ path: guide, space: !ref space.guide, default: true }]
`;
    await bench.bring(logo('a').replace(/ {4}customization:\n.*\n/, ''));
    const spaceId = idOf(bench, 'space.guide');
    const changeRequestId = (await bench.api.call(createChangeRequest, { params: { spaceId }, body: {} })).id;
    const at = { params: { spaceId, changeRequestId } };
    const files = [{ name: 'logo.svg', contentType: 'image/svg+xml', base64: 'AAAA' }];
    await bench.api.call(batchContent, { ...at, body: { changes: [{ operation: 'insert_files', files }] } });
    await bench.api.call(mergeChangeRequest, { ...at, body: {} });
    await bench.bring(logo('logo.svg'));
    expect((await lookOf(bench)).header.logo?.light).toMatchObject({ kind: 'file', space: spaceId });
    await settled(bench);
    expect(textOf(await exportBench(bench))).toContain('file: logo.svg');
    await expect(bench.bring(logo('gone.svg'))).rejects.toThrow('no file "gone.svg"');
    // An export and its plan use the ID of a deleted file.
    await bench.api.call(deleteSpace, { params: { spaceId } });
    const exported = await exportBench(bench);
    expect(textOf(exported)).toMatch(new RegExp(`space: ${spaceId}\\n +file: fil_`));
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
  });

  it('is rehearsed like it is applied, and can be undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(text);
    const before = textOf(await exportBench(bench));
    bench.write(
      text.replace('theme: bold, corners', 'theme: muted, corners').replace('locale: de', 'locale: fr'),
    );
    const { rows, unsettled, notCopied } = await rehearseBench(bench);
    expect(rows.map(({ key, status }) => [key, status])).toEqual([
      ['site.docs (last)', 'done'],
      ['site-space.docs/de (last)', 'done'],
    ]);
    expect([unsettled, notCopied]).toEqual([[], []]);
    await bench.apply();
    expect((await lookOf(bench)).styling.theme).toBe('muted');
    await bench.undo();
    expect(textOf(await exportBench(bench))).toBe(before);
  });

  it('reports mistakes with their positions', async () => {
    const faults = (customization: string) =>
      desiredFaults(`spaces: { guide: { title: Guide } }
sites:
  docs:
    adaptive: { enabled: true, jsonSchema: { type: object, additionalProperties: false, properties: { beta: { type: boolean, description: Beta } } } }
    customization: ${customization}`);
    expect(await faults('{ styling: { theme: boldly } }')).toEqual([
      'org.yaml:6:40: "boldly" is not one of: clean, muted, bold, gradient; did you mean bold?',
    ]);
    expect(await faults('{ styles: { theme: bold } }')).toEqual([
      'org.yaml:6:22: "styles" is not a known field; did you mean "styling"?',
    ]);
    expect(await faults('{ styling: { primaryColor: { light: blue, dark: "#fff" } } }')).toEqual([
      'org.yaml:6:56: "blue" does not have the expected format (example: #346ddb)',
    ]);
    const link = (to: string, more = '') =>
      `{ header: { links: [{ title: A, links: [], to: ${to}${more} }] } }`;
    expect(await faults(link('{ kind: space, space: !ref space.gide }'))).toEqual([
      'org.yaml:6:89: the manifest has no space.gide; did you mean "space.guide"?',
    ]);
    expect(await faults(link('null', ', condition: visitor.claims.alpha == true'))).toEqual([
      expect.stringMatching(/^org.yaml:6:84: the condition does not fit the adaptive schema of the site: /),
    ]);
    expect(await faults('{ socialAccounts: [{ platform: x }] }')).toEqual([
      'org.yaml:6:39: the field "handle" is required',
      'org.yaml:6:39: the field "display" is required',
    ]);
    const inSpace = await desiredFaults(`spaces: { guide: { title: Guide } }
sites: { docs: { siteSpaces: [{ path: a, space: !ref space.guide, customization: { pdf: { enabled: true } } }] } }`);
    expect(inSpace).toEqual([expect.stringMatching(/^org.yaml:3:84: "pdf" is not a known field/)]);
  });
});
