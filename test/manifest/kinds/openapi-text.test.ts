import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import type { FileAnswer } from '../../../src/contract/file.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { findDrift } from '../../../src/manifest/find-drift.ts';
import { verifyPlan } from '../../../src/manifest/verify-plan.ts';
import { deleteSpec, downloadSpec, replaceSpec } from '../../../src/resources/openapi/contract.ts';
import { createWorld } from '../../support/world.ts';
import { Bench, linesOf } from '../bench.ts';
import { applyTo, exportBench, planOf } from '../export/export-bench.ts';
import { driftLines, driftOf } from '../state-bench.ts';
import { folderOf, problemIn } from '../read/folder.ts';
import { lockOf, rehearseBench, shownRows } from '../rehearse/rehearse-bench.ts';
import { createUndoBench, type UndoBench } from '../journal/undo-bench.ts';

const pay = (title: string): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: "1" }\npaths: { /a: { get: { responses: { 200: { description: ok } } } } }\n`;
const stated = 'openapi: { pay: { slug: pay, text: !file pay.yaml, wait: true } }';
const waiting = stated.replace(', wait: true', '');

function put(bench: Bench, text: string): void {
  writeFileSync(join(bench.folder, 'pay.yaml'), text);
}

/** A bench with a specification that was applied and processed. */
async function brought(): Promise<UndoBench> {
  const bench = await createUndoBench(true);
  put(bench, pay('Pay'));
  await bench.bring(stated);
  return bench;
}

const params = ({ world }: Bench) => ({ organizationId: world.org, specSlug: 'pay' });

async function live(bench: Bench): Promise<string> {
  const { bytes }: FileAnswer = await bench.api.call(downloadSpec, {
    params: { ...params(bench), versionId: 'latest' },
  });
  return Buffer.from(bytes).toString();
}

/** Processes the specifications that were applied. */
async function work(bench: Bench): Promise<void> {
  await bench.api.work!({
    kind: 'openapi',
    organization: bench.world.org,
    signal: new AbortController().signal,
  });
}

/** Replaces the text like another client, and processes it. */
async function replace(bench: Bench, text: string): Promise<void> {
  await bench.api.call(replaceSpec, { params: params(bench), body: { source: { text } } });
  await work(bench);
}

/** The same bench, on a server that does not return texts. */
function without(bench: Bench): Bench {
  const call: Api['call'] = (operation, ...rest) => {
    if (operation.id === 'openapi.download') throw new Problem('not-implemented', 'No texts here.');
    return bench.api.call(operation, ...rest);
  };
  return new Bench(bench.world, bench.folder, { ...bench.api, call });
}

describe('the text of an OpenAPI specification', { timeout: 60_000 }, () => {
  it('is compared with the live text, and the plan shows which side changed', async () => {
    const bench = await brought();
    expect(linesOf(await bench.plan())).toEqual([]);
    put(bench, pay('Pay').replaceAll('\n', '\r\n'));
    expect(linesOf(await bench.plan())).toEqual([]);
    put(bench, pay('Pay 2'));
    expect((await bench.plan()).steps[0]!.changes).toMatchObject([
      { field: 'text', before: pay('Pay'), after: pay('Pay 2'), moved: 'file' },
      { field: 'wait' },
    ]);
    put(bench, pay('Pay'));
    await replace(bench, pay('By hand'));
    expect((await bench.plan()).steps[0]!.changes).toMatchObject([
      { field: 'text', before: pay('By hand'), after: pay('Pay'), moved: 'live' },
      { field: 'wait' },
    ]);
    expect(driftLines(await driftOf(bench)).join()).toContain('By hand');
    await bench.apply();
    // The apply waited for it, so no jobs have to be run here.
    expect([await live(bench), linesOf(await bench.plan()), driftLines(await driftOf(bench))]).toEqual([
      pay('Pay'),
      [],
      [],
    ]);
  });

  it('is sent once on creation, and downloaded only if the manifest states it', async () => {
    const bench = new Bench(await createWorld(), folderOf({}));
    put(bench, pay('Pay'));
    await bench.bring(stated);
    expect(bench.changing.map(({ operation }) => operation.id)).toEqual(['openapi.create']);
    bench.write('openapi: { pay: { slug: pay, visibility: private } }');
    bench.forget();
    await bench.plan();
    expect(bench.calls.map(({ operation }) => operation.id)).not.toContain('openapi.download');
  });

  it('is assumed to match the state file while it is processed, or if the server does not return it', async () => {
    const bench = new Bench(await createWorld(), folderOf({}));
    put(bench, pay('Pay'));
    await bench.bring(waiting);
    expect(linesOf(await bench.plan())).toEqual([]);
    expect(await driftOf(bench)).toMatchObject({
      resources: [],
      unseen: [{ address: 'openapi.pay', field: 'text', why: 'hidden' }],
    });
    put(bench, pay('Pay 2'));
    expect((await bench.plan()).counts.update).toBe(1);
    await bench.bring(stated);
    const blind = without(bench);
    expect(linesOf(await blind.plan())).toEqual([]);
    put(bench, pay('Pay 3'));
    expect((await blind.plan()).steps[0]!.changes).toEqual([
      { field: 'text', after: pay('Pay 3'), moved: 'file' },
      { field: 'wait', after: true, moved: 'file' },
    ]);
    await blind.apply();
    await work(bench);
    expect([await live(bench), linesOf(await blind.plan())]).toEqual([pay('Pay 3'), []]);
    expect(await findDrift({ api: blind.api, state: lockOf(blind), concurrency: 1 })).toMatchObject({
      resources: [],
      unseen: [{ why: 'hidden' }],
    });
  });

  it('is not a change or drift while it is processed again after an apply waited for it', async () => {
    const bench = await brought();
    expect(Object.keys(bench.lock!.resources['openapi.pay']!.fields)).toContain('wait');
    await bench.api.call(replaceSpec, { params: params(bench), body: { source: { text: pay('Pay') } } });
    expect(linesOf(await bench.plan())).toEqual([]);
    expect(await driftOf(bench)).toMatchObject({
      resources: [],
      unseen: [{ field: 'text' }, { field: 'wait', why: 'hidden' }],
    });
    const document = await bench.plan();
    await work(bench);
    await verifyPlan({ document, api: bench.api, state: lockOf(bench), concurrency: 1 });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('is waited for if "wait" is added later, and the saved plan stays valid after the processing', async () => {
    const bench = new Bench(await createWorld(), folderOf({}));
    put(bench, pay('Pay'));
    await bench.bring(waiting);
    bench.write(stated);
    const document = await bench.plan();
    expect(document.steps[0]!.changes).toEqual([{ field: 'wait', after: true, moved: 'file' }]);
    await work(bench);
    await verifyPlan({ document, api: bench.api, state: lockOf(bench), concurrency: 1 });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('is sent again if the last one could not be processed', async () => {
    const bench = await brought();
    await replace(bench, 'no specification');
    put(bench, pay('Pay 2'));
    expect((await bench.plan()).steps[0]!.changes).toMatchObject([
      { before: pay('Pay'), after: pay('Pay 2') },
      { field: 'wait' },
    ]);
  });

  it('replaces a URL', async () => {
    const bench = await brought();
    await bench.api.call(replaceSpec, {
      params: params(bench),
      body: { source: { url: 'https://a.test/pay.json' } },
    });
    expect((await bench.plan()).steps[0]!.changes).toMatchObject([
      { field: 'text', before: null, after: pay('Pay') },
      { field: 'wait' },
    ]);
  });

  it('makes a saved plan stale if it changes', async () => {
    const bench = await brought();
    put(bench, pay('Pay 2'));
    const document = await bench.plan();
    await verifyPlan({ document, api: bench.api, state: lockOf(bench), concurrency: 1 });
    await replace(bench, pay('By hand'));
    expect(
      (await problemIn(verifyPlan({ document, api: bench.api, state: lockOf(bench), concurrency: 1 })))
        .reason,
    ).toBe('precondition-failed');
  });

  it('is exported to a file, which creates the same text in another store', async () => {
    const bench = await brought();
    const json =
      '{"openapi":"3.1.0","info":{"title":"J","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}';
    writeFileSync(join(bench.folder, 'j.json'), json);
    await bench.bring(
      `openapi: { pay: { slug: pay, text: !file pay.yaml, wait: true }, J: { slug: J, text: !file j.json, wait: true } }`,
    );
    const exported = await exportBench(bench);
    expect([
      exported.files.get('specs/pay.yaml'),
      exported.files.get('specs/j.json'),
      exported.notes,
    ]).toEqual([pay('Pay'), json, []]);
    expect(exported.files.get('docsctl.yaml')).toContain(
      'pay: { slug: pay, text: !file specs/pay.yaml, visibility: private }',
    );
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = new Bench(await createWorld(), folderOf({}));
    const text = exported.files.get('docsctl.yaml')!.replace(/^ {2}id: .*\n/m, '');
    await applyTo(other, { ...exported, files: new Map([...exported.files, ['docsctl.yaml', text]]) }, 1);
    await work(other);
    expect(await live(other)).toBe(pay('Pay'));
  });

  it('is left out of an export, with a note, if the server does not return it yet', async () => {
    const bench = new Bench(await createWorld(), folderOf({}));
    put(bench, pay('Pay'));
    await bench.bring(waiting);
    expect((await exportBench(bench)).notes).toEqual([
      '"text" of openapi.pay was not exported: the specification has no processed version yet; export again when `docsctl openapi list` shows one',
    ]);
    expect([...(await exportBench(without(bench))).files.keys()]).toEqual(['docsctl.yaml']);
    await bench.bring(stated);
    expect([...(await exportBench(without(bench))).unsupported]).toEqual([
      ['openapi.text', 'No texts here.'],
    ]);
  });

  it('is restored by an undo: after a change, after a deletion, and after it replaced a URL', async () => {
    const bench = await brought();
    put(bench, pay('Pay 2'));
    await bench.bring(stated);
    expect((await bench.undo()).lost).toEqual([]);
    await work(bench);
    expect(await live(bench)).toBe(pay('Pay'));
    await bench.bring('openapi: {}', { prune: true });
    expect(bench.changing.at(-1)!.operation).toBe(deleteSpec);
    expect((await bench.undo()).lost).toEqual([]);
    await work(bench);
    expect(await live(bench)).toBe(pay('Pay'));
    await bench.bring('openapi: { pay: { slug: pay, source: { url: "https://a.test/pay.json" } } }');
    expect((await bench.undo()).lost).toEqual([]);
    await work(bench);
    expect(await live(bench)).toBe(pay('Pay'));
  });

  it('is part of the copy of a rehearsal', async () => {
    const bench = await brought();
    await replace(bench, pay('By hand'));
    const { rows, notCopied, unsettled } = await rehearseBench(bench);
    expect([shownRows({ rows }), notCopied, unsettled]).toEqual([['done update openapi.pay'], [], []]);
    bench.write('openapi: { pay: { slug: pay, visibility: public } }');
    expect(shownRows(await rehearseBench(bench))).toEqual(['done update openapi.pay']);
  });
});
