import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  getAdaptiveSchema,
  updateAdaptiveSchema,
} from '../../../src/resources/site-adaptive-schema/contract.ts';
import { getSite } from '../../../src/resources/sites/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';

const plan = { type: 'string', description: 'What they pay for', enum: ['free', 'pro'] };
const schema = { type: 'object', properties: { plan }, additionalProperties: false } as const;
const text = (adaptive: string) => `sites:\n  docs: { title: Docs, adaptive: ${adaptive} }`;
const write = (bench: Bench, value: unknown) =>
  writeFileSync(join(bench.folder, 'visitor.json'), JSON.stringify(value));
const params = (bench: Bench) => ({
  organizationId: bench.world.org,
  siteId: bench.lock!.resources['site.docs']!.id,
});
const schemaOf = async (bench: Bench) =>
  (await bench.world.as('admin').call(getAdaptiveSchema, { params: params(bench) })).jsonSchema;
const isEnabled = async (bench: Bench) =>
  (await bench.world.as('admin').call(getSite, { params: params(bench) })).adaptiveContent.enabled;

async function adaptive() {
  const bench = await createBench();
  write(bench, schema);
  await bench.bring(text('{ enabled: true, jsonSchema: !file visitor.json }'));
  return bench;
}

describe('adaptive content in a manifest', () => {
  it('reads its schema from a file, and the next plan is empty', async () => {
    const bench = await adaptive();
    expect([await isEnabled(bench), await schemaOf(bench)]).toEqual([true, schema]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('has no changes if the file lists its fields in another order', async () => {
    const bench = await adaptive();
    write(bench, {
      additionalProperties: false,
      properties: { plan: { enum: ['free', 'pro'], description: plan.description, type: 'string' } },
      type: 'object',
    });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('sends only the part that changed', async () => {
    const bench = await adaptive();
    bench.write(text('{ enabled: false, jsonSchema: !file visitor.json }'));
    bench.forget();
    await bench.apply();
    expect(bench.changing.map(({ operation, input }) => [operation.id, input.body])).toEqual([
      ['sites.update', { adaptiveContent: { enabled: false } }],
    ]);
    write(bench, {
      ...schema,
      properties: { plan, beta: { type: 'boolean', description: 'Sees what is new' } },
    });
    bench.forget();
    await bench.apply();
    expect(bench.changing.map(({ operation }) => operation.id)).toEqual(['sites.adaptive-schema.update']);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('has no claims if the schema is null', async () => {
    const bench = await adaptive();
    await bench.bring(text('{ enabled: false, jsonSchema: null }'));
    expect((await schemaOf(bench)).properties).toEqual({});
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('that was never set up equals a null schema and "enabled: false"', async () => {
    const bench = await createBench();
    await bench.bring('sites: { docs: { title: Docs } }');
    bench.write(text('{ enabled: false, jsonSchema: null }'));
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('shows a schema that was changed by hand', async () => {
    const bench = await adaptive();
    await bench.world.as('admin').call(updateAdaptiveSchema, {
      params: params(bench),
      body: { jsonSchema: { ...schema, properties: {} } },
    });
    expect((await bench.plan()).steps[0]!.changes).toEqual([
      {
        field: 'adaptive',
        before: { enabled: true, jsonSchema: null },
        after: { enabled: true, jsonSchema: schema },
        moved: 'live',
      },
    ]);
    await bench.apply();
    expect(await schemaOf(bench)).toEqual(schema);
  });

  it('reports mistakes in the schema with their positions, and accepts what the API accepts', async () => {
    const bench = await createBench(text('{ enabled: true }'));
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:3:34: the field "jsonSchema" is required']);
    const wrong = async (properties: unknown) => {
      write(bench, { ...schema, properties });
      bench.write(text('{ enabled: true, jsonSchema: !file visitor.json }'));
      return (await faultsIn(bench.plan())).join('\n');
    };
    expect(await wrong({ plan: { type: 'string' } })).toBe(
      'visitor.json:1:39: the field "description" is required',
    );
    expect(await wrong({ plan: { type: 'money', description: '' } })).toMatch(
      /^visitor\.json:1:39: must contain one of type: boolean, type: number, type: string/,
    );
    expect(await wrong({ plan: { ...plan, enum: [] } })).toMatch(
      /^visitor\.json:1:\d+: this list has 0 items; at least 1 are required/,
    );
    expect(await wrong({ plan: { ...plan, type: 'number' } })).toMatch(
      /^visitor\.json:1:\d+: "enum" is not a known field/,
    );
    const deep = (depth: number): unknown =>
      depth === 0
        ? plan
        : {
            type: 'object',
            description: '',
            properties: { in: deep(depth - 1) },
            additionalProperties: false,
          };
    expect(await wrong({ one: deep(5) })).toMatch(/^visitor\.json:1:\d+: must contain one of type/);
    await bench.bring(
      text('{ enabled: true, jsonSchema: !file visitor.json }').replace(
        '!file visitor.json',
        JSON.stringify({
          ...schema,
          properties: { one: deep(4), list: { type: 'array', description: '', items: plan } },
        }),
      ),
    );
    write(bench, { type: 'array' });
    bench.write(text('{ enabled: true, jsonSchema: !file visitor.json }'));
    expect(await faultsIn(bench.plan())).toContain('visitor.json:1:9: must be object');
  });
});
