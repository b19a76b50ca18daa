import { describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { linesOf } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';
import { answersFor, benchWith, type Row } from './later-api.ts';

const text = (fields: string) =>
  `spaces: { a: { title: A }, b: { title: B } }\nintegrations:\n  slack: { integration: slack, ${fields} }`;

/** Two integrations: slack, and one whose installations cannot be listed. */
async function world() {
  const rows = new Map<string, Row>();
  const spaces = new Set<string>();
  const make = ({ params, body }: { params: Row; body: Row }): Row => ({
    id: `ins_${rows.size + 1}`,
    name: params['integrationName'],
    target: { organization: body['organization'] },
    configuration: {},
    externalIds: [],
  });
  const answers = answersFor('integrations.installations', 'installationId', rows, make);
  const bench = await benchWith({
    ...answers,
    'integrations.list': () => ({ items: [{ name: 'slack' }, { name: 'foreign' }] }),
    'integrations.get': ({ params }) => {
      if (params['integrationName'] !== 'slack') throw new Problem('not-found', 'There is none.');
      return { name: 'slack' };
    },
    'integrations.installations.list': ({ params }) => {
      if (params['integrationName'] === 'foreign') throw new Problem('forbidden', 'Not yours.');
      return { items: [{ id: 'ins_other', target: { organization: 'org_other' } }, ...rows.values()] };
    },
    'integrations.installations.add-space': ({ params, body }) =>
      void spaces.add(`${params['installationId']} ${String(body['space'])}`),
    'integrations.installations.remove-space': ({ params }) =>
      void spaces.delete(`${params['installationId']} ${params['spaceId']}`),
    'integrations.spaces': () => ({
      items: [...spaces].map((one) => ({ installation: one.split(' ')[0], space: one.split(' ')[1] })),
    }),
    'integrations.sites': () => ({ items: [] }),
  });
  return { bench, rows, spaces };
}

describe('integrations in a manifest', () => {
  it('are installed, configured and added to spaces, and the next plan is empty', async () => {
    const { bench, rows, spaces } = await world();
    await bench.bring(
      text(
        'configuration: { channel: docs }, space_selection: selected, spaces: [!ref space.b, !ref space.a], sites: []',
      ),
    );
    expect([...rows.values()]).toMatchObject([
      { id: 'ins_1', name: 'slack', configuration: { channel: 'docs' }, space_selection: 'selected' },
    ]);
    expect([...spaces].sort()).toEqual(
      ['a', 'b'].map((name) => `ins_1 ${bench.lock!.resources[`space.${name}`]!.id}`).sort(),
    );
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('adopt existing installations, revert changes made by hand, and are uninstalled by prune', async () => {
    const { bench, rows } = await world();
    rows.set('ins_7', {
      id: 'ins_7',
      target: { organization: bench.world.org },
      configuration: { channel: 'x' },
      externalIds: [],
    });
    bench.write(text('configuration: { channel: docs }'));
    expect(linesOf(await bench.plan())[2]).toBe(
      'adopt integration.slack configuration: {"channel":"x"} ⇒ {"channel":"docs"}',
    );
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    rows.set('ins_7', { ...rows.get('ins_7'), configuration: {} });
    expect((await bench.plan()).steps[2]!.changes).toEqual([
      { field: 'configuration', before: {}, after: { channel: 'docs' }, moved: 'live' },
    ]);
    await bench.bring(text('configuration: {}'));
    await bench.bring('integrations: {}', { prune: true });
    expect(rows.size).toBe(0);
  });

  it('are removed from a space without being uninstalled', async () => {
    const { bench, spaces } = await world();
    await bench.bring(text('spaces: [!ref space.a]'));
    await bench.bring(text('spaces: [!ref space.b]'));
    expect([...spaces]).toEqual([`ins_1 ${bench.lock!.resources['space.b']!.id}`]);
  });

  it('report mistakes with their positions', async () => {
    const { bench } = await world();
    bench.write(text('configuration: [], spaces: [!ref team.x]'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:4:47: a list is not allowed here; expected a map of names: write "NAME:" instead of "- "',
    ]);
    bench.write(text('configuration: { deep: { token: !secret { env: TOKEN } } }'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:4:64: unknown tag !secret; expected one of !ref, !lookup, !file',
    ]);
    bench.write('spaces: { a: { title: A } }\nintegrations: { slak: { spaces: [!ref space.a] } }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:17: there is no integration "slak" that you can see; to see the integrations, run `docsctl integrations list`',
    ]);
    bench.write('integrations: { slack: {} }');
    // The name of the block is the name of the integration.
    expect(JSON.stringify((await bench.plan()).steps)).toContain('"field":"integration","after":"slack"');
  });
});
