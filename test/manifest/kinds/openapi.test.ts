import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { openapiKind } from '../../../src/manifest/kinds/openapi.ts';
import { applyPlan } from '../../../src/manifest/apply-plan.ts';
import { openStateFile } from '../../../src/manifest/state-file.ts';
import { linesOf, type Bench } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';
import { answersFor, benchWith, type Row } from './later-api.ts';

const text = (fields: string) => `openapi:\n  billing: { slug: billing, ${fields} }`;
const url = 'source: { url: "https://a.test/openapi.json" }';

/** Each read of a specification advances its processing; `looks` is the number of reads that it takes. */
async function world(looks = 1, end: Row = {}) {
  const rows = new Map<string, Row>();
  const texts: string[] = [];
  let left = looks;
  const sourced = ({ source, ...row }: Row): Row => {
    const { url: sourceURL, text: given } = (source ?? {}) as { url?: string; text?: string };
    if (given !== undefined) texts.push(given);
    return source === undefined ? row : { ...row, sourceURL, processingState: 'pending' };
  };
  const answers = answersFor('openapi', 'specSlug', rows, ({ body }) => ({ ...sourced(body), id: body['slug'], visibility: 'private' }), (row, body) => ({ ...row, ...sourced(body) })); // prettier-ignore
  const shown = (row: Row) => ({ ...row, id: `spec_${String(row['slug'])}` });
  const bench = await benchWith({
    ...answers,
    'openapi.list': () => ({ items: [...rows.values()].map(shown) }),
    'openapi.create': (input) => shown(answers['openapi.create']!(input) as Row),
    'openapi.replace': (input) => answers['openapi.update']!(input),
    'openapi.get': (input) => {
      if (--left <= 0) rows.set('billing', { ...rows.get('billing'), processingState: 'complete', ...end });
      return answers['openapi.get']!(input);
    },
  });
  writeFileSync(join(bench.folder, 'billing.yaml'), 'openapi: 3.1.0\n');
  return { bench, rows, texts };
}

/** Applies with pauses that take no time, and returns their lengths. */
async function applyPatiently(bench: Bench) {
  const pauses: number[] = [];
  const table = kinds.map((kind) =>
    kind.name === 'openapi'
      ? openapiKind((milliseconds) => Promise.resolve(pauses.push(milliseconds)))
      : kind,
  );
  const document = await bench.plan();
  const held = await openStateFile(bench.lockOptions, () => Promise.resolve(() => {}));
  const { rows } = await applyPlan({ document, api: bench.api, handle: held, concurrency: 1, table });
  await held.release();
  return { pauses, rows };
}

describe('OpenAPI specifications in a manifest', () => {
  it('are created from a URL, and identified by their slug', async () => {
    const { bench, rows } = await world();
    await bench.bring(text(`${url}, visibility: public`));
    expect(rows.get('billing')).toMatchObject({
      slug: 'billing',
      sourceURL: 'https://a.test/openapi.json',
      visibility: 'public',
    });
    expect(bench.lock!.resources['openapi.billing']!.id).toBe('billing');
    expect(linesOf(await bench.plan())).toEqual([]);
    rows.set('billing', { ...rows.get('billing'), sourceURL: 'https://b.test' });
    expect(linesOf(await bench.plan())).toEqual([
      'update openapi.billing source: {"url":"https://b.test"} ⇒ {"url":"https://a.test/openapi.json"}',
    ]);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.bring('openapi: {}', { prune: true });
    expect(rows.size).toBe(0);
  });

  it('are sent as a text once, and again only after the file has changed', async () => {
    const { bench, texts } = await world();
    await bench.bring(text('text: !file billing.yaml'));
    expect(texts).toEqual(['openapi: 3.1.0\n']);
    bench.write(text('text: !file billing.yaml, visibility: private'));
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([]);
    writeFileSync(join(bench.folder, 'billing.yaml'), 'openapi: 3.0.0\n');
    expect((await bench.plan()).counts.update).toBe(1);
    await bench.apply();
    expect(texts).toEqual(['openapi: 3.1.0\n', 'openapi: 3.0.0\n']);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('are polled with growing pauses until they are processed', async () => {
    const { bench } = await world(8);
    bench.write(text(`${url}, wait: true`));
    const { pauses, rows } = await applyPatiently(bench);
    expect(rows).toMatchObject([{ status: 'done' }]);
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('fail with the reason if they cannot be processed, and with a timeout if that takes too long', async () => {
    const { bench } = await world(1, {
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: 'no paths' }],
    });
    bench.write(text(`${url}, wait: true`));
    expect((await applyPatiently(bench)).rows).toMatchObject([
      {
        status: 'failed',
        problem: { message: 'The specification billing could not be processed: PARSE_ERROR, no paths.' },
      },
    ]);
    const slow = await world(1000);
    slow.bench.write(text(`${url}, wait: true`));
    const { rows, pauses } = await applyPatiently(slow.bench);
    expect([rows[0]!.problem!.reason, pauses.length]).toEqual(['timed-out', 125]);
  });

  it('report mistakes with their positions', async () => {
    const { bench } = await world();
    bench.write(text('visibility: secret'));
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:3:41: "secret" is not one of: private, public']);
    bench.write(text('text: !secret { file: billing.yaml }'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:35: unknown tag !secret; expected one of !ref, !lookup, !file',
    ]);
    bench.write(text(`${url}, text: !file billing.yaml`));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:77: a specification cannot have both "source" and "text"; remove one of the two',
    ]);
    bench.write(text('visibility: public'));
    expect(await faultsIn(bench.plan())).toEqual([
      expect.stringContaining('a new specification needs "source: { url: … }" or "text: !file …"'),
    ]);
  });
});

describe('a new OpenAPI specification', () => {
  it('is refused by the plan without "source" or "text"', async () => {
    const rows = [{ id: 'spec_1', slug: 'there', visibility: 'private', processingState: 'complete' }];
    const bench = await benchWith({ 'openapi.list': () => ({ items: rows }) });
    bench.write(
      'openapi:\n  there: { visibility: private }\n  fresh: { visibility: private }\n  url: { source: { url: "https://a.test/x.json" } }\n',
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:4:3: openapi.fresh does not exist yet; a new specification needs "source: { url: … }" or "text: !file …"',
    ]);
    writeFileSync(join(bench.folder, 'fresh.yaml'), 'openapi: 3.0.0\n');
    bench.write('openapi:\n  there: { visibility: private }\n  fresh: { text: !file fresh.yaml }\n');
    expect((await bench.plan()).counts.create).toBe(1);
  });
});
