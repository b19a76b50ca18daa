import { afterEach, describe, expect, it } from 'vitest';
import {
  listInstallations,
  updateInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { listIntegrationSpaces } from '../../../src/resources/integrations/contract.ts';
import { install, publish } from '../../resources/integrations/support.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { exportBench, planOf, textOf } from '../export/export-bench.ts';

let bench: Bench;
afterEach(() => bench.world.core.store.close());

const account = { properties: { channel: { type: 'string' as const } }, required: ['channel'] };
const text = (fields: string) =>
  `spaces: { a: { title: A }, b: { title: B } }\nsites: { docs: { title: Docs } }\nintegrations: { bot: { ${fields} } }`;
const params = { integrationName: 'bot' };

async function open(): Promise<void> {
  bench = await createBench();
  await publish(bench.world, 'bot', { configurations: { account }, secrets: { TOKEN: 'canary' } });
}

describe('an integration in a manifest', () => {
  it('is installed, configured and added to spaces and sites, and the next plan is empty', async () => {
    await open();
    await bench.bring(
      text(
        'configuration: { channel: docs }, externalIds: [T1], space_selection: selected, spaces: [!ref space.a], sites: [!ref site.docs]',
      ),
    );
    const { items } = await bench.world.as('admin').call(listInstallations, { params });
    expect(items).toMatchObject([
      {
        status: 'active',
        configuration: { channel: 'docs' },
        externalIds: ['T1'],
        space_selection: 'selected',
        site_selection: 'all',
        spaces: 1,
      },
    ]);
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.bring(text('configuration: { channel: docs }, spaces: [!ref space.b], sites: []'));
    const on = await bench.world.as('admin').call(listIntegrationSpaces, { params });
    expect(on.items.map(({ space }) => space)).toEqual([bench.lock!.resources['space.b']!.id]);
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.bring(
      'spaces: { a: { title: A }, b: { title: B } }\nsites: { docs: { title: Docs } }\nintegrations: {}',
      { prune: true },
    );
    expect((await bench.world.as('admin').call(listInstallations, { params })).items).toEqual([]);
  });

  it('is reset after changes by hand, and fails with the reason if its configuration is wrong', async () => {
    await open();
    const wanted = text('configuration: { channel: docs }');
    await bench.bring(wanted);
    const installationId = bench.lock!.resources['integration.bot']!.id;
    await bench.world.as('admin').call(updateInstallation, {
      params: { ...params, installationId },
      body: { configuration: { channel: 'other' } },
    });
    expect(linesOf(await bench.plan())).toEqual([
      'update integration.bot configuration: {"channel":"other"} ⇒ {"channel":"docs"}',
    ]);
    await bench.bring(wanted);
    expect(linesOf(await bench.plan())).toEqual([]);
    // Readers cannot see the settings, so their plans show no difference.
    const { api } = bench;
    Object.assign(bench, { api: bench.world.as('read') });
    expect(linesOf(await bench.plan())).toEqual([]);
    Object.assign(bench, { api });
    bench.write(text('configuration: { chanel: docs }'));
    expect((await bench.apply()).rows.at(-1)).toMatchObject({
      status: 'failed',
      problem: { reason: 'invalid-input' },
    });
  });

  it('is exported without the secrets of its publication, and a plan of the export is empty', async () => {
    await open();
    await bench.bring(
      text('configuration: { channel: docs }, spaces: [!ref space.a], sites: [!ref site.docs]'),
    );
    const exported = await exportBench(bench);
    expect(exported.files.get('docsctl.yaml')).toContain('configuration: { channel: docs }');
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    expect(
      textOf(exported) + JSON.stringify(await planOf(bench, exported)) + JSON.stringify(bench.lock),
    ).not.toContain('canary');
  });

  it('adopts an existing installation', async () => {
    await open();
    await publish(bench.world, 'bot', { visibility: 'public', configurations: { account } });
    await install(bench.world);
    bench.write(text('configuration: { channel: docs }'));
    expect(linesOf(await bench.plan()).find((line) => line.includes('integration.bot'))).toBe(
      'adopt integration.bot configuration: {} ⇒ {"channel":"docs"}',
    );
  });
});
