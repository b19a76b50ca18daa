import { describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import {
  withContent,
  withExportedContent,
  type ContentEngine,
  type ContentExporter,
} from '../../../src/manifest/content.ts';
import { exportedFiles } from '../../../src/manifest/export/update-state.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { problemIn } from '../read/folder.ts';
import { emptyLock, exportBench, lockOf, planOf } from './export-bench.ts';

const text =
  'teams: { all: { title: All } }\nspaces: { guide: { title: Guide }, api: { title: API }, empty: { title: Empty } }';
const settled: ContentEngine = {
  refusal: () => undefined,
  plan: () => Promise.resolve(undefined),
  describe: async () => ({ summary: '' }),
  fingerprint: async () => '',
  apply: () => Promise.resolve(),
};
const open = async (): Promise<Bench> => {
  const bench = await createBench();
  await bench.bring(text);
  return bench;
};

/** An exporter that says where the content of each space goes and records what it was asked. */
function exporter(answer: (name: string) => Awaited<ReturnType<ContentExporter['place']>>[number]) {
  const asked: { id: string; name: string }[][] = [];
  const place: ContentExporter['place'] = (spaces) => {
    asked.push(spaces.map(({ body, name }) => ({ id: body.id, name })));
    return Promise.resolve(spaces.map(({ name }) => answer(name)));
  };
  return { asked, table: withExportedContent(kinds, { place }) };
}

describe('content in an export', () => {
  it('writes the "content" that the exporter returns, and records it in the state as a plan would', async () => {
    const bench = await open();
    const { asked, table } = exporter((name) =>
      name === 'empty'
        ? undefined
        : { dir: `content/${name}`, ...(name === 'api' ? { unlisted: 'hidden' as const } : {}) },
    );
    const exported = await exportBench(bench, { table });
    expect(exported.files.get('docsctl.yaml')).toContain(`spaces:
  api: { title: API, content: { dir: content/api, unlisted: hidden } }
  empty: { title: Empty }
  guide: { title: Guide, content: { dir: content/guide } }
`);
    expect(exported.owned.get('space.api')!.fields).toEqual({
      title: 'API',
      content: { dir: 'content/api', via: 'change-request', merge: 'auto', unlisted: 'hidden' },
    });
    expect(exported.owned.get('space.empty')!.fields).toEqual({ title: 'Empty' });
    // One call for all spaces, in the order of the file, with their names in it.
    expect(asked.map((spaces) => spaces.map(({ name }) => name))).toEqual([['api', 'empty', 'guide']]);
    expect(asked[0]!.map(({ id }) => id)).toEqual(
      ['api', 'empty', 'guide'].map((name) => exported.owned.get(`space.${name}`)!.id),
    );
    expect(bench.calls.filter(({ operation }) => /pages|files/.test(operation.id))).toEqual([]);
    const plan = await planOf(bench, exported, lockOf(bench, exported), withContent(kinds, settled));
    expect(linesOf(plan)).toEqual([]);
    expect(plan.steps.filter(({ states }) => states !== undefined)).toEqual([]);
  });

  it('does not call the exporter if no spaces are exported, and needs a table with content', async () => {
    const bench = await open();
    const { asked, table } = exporter(() => ({ dir: 'content/x' }));
    expect((await exportBench(bench, { table, kinds: ['teams'] })).files.get('docsctl.yaml')).not.toContain(
      'content',
    );
    expect(asked).toEqual([]);
    expect((await exportBench(bench)).files.get('docsctl.yaml')).not.toContain('content');
  });

  it('leaves content out if the backend does not support it; any other failure ends the export', async () => {
    const bench = await open();
    const failing = (reason: 'not-implemented' | 'forbidden') =>
      withExportedContent(kinds, { place: () => Promise.reject(new Problem(reason, 'No.')) });
    const exported = await exportBench(bench, { table: failing('not-implemented') });
    expect(exported.unsupported.get('space.content')).toBe('No.');
    expect(exported.files.get('docsctl.yaml')).toContain('guide: { title: Guide }');
    expect((await problemIn(exportBench(bench, { table: failing('forbidden') }))).reason).toBe('forbidden');
  });

  it('leaves out content that a manifest would refuse, and adds a note', async () => {
    const bench = await open();
    const { table } = exporter((name) => (name === 'guide' ? { dir: '' } : undefined));
    const exported = await exportBench(bench, { table });
    expect(exported.notes).toEqual([expect.stringContaining('"content" of space.guide was not exported')]);
    expect(exported.files.get('docsctl.yaml')).toContain('guide: { title: Guide }');
  });
});

describe('exportedFiles', () => {
  it('returns the files of manifests, and files of content only if the caller accepts their paths', async () => {
    const lock = emptyLock(await createBench());
    expect(exportedFiles(lock)).toBeUndefined();
    lock.setCheckpoint('export', {
      files: {
        'docsctl.yaml': 'a',
        'content/guide/A b.md': 'b',
        '../x.yaml': 'c',
        'content/x/../../y.md': 'd',
        'teams.yaml': 7,
      },
    });
    expect([...exportedFiles(lock)!]).toEqual([['docsctl.yaml', 'a']]);
    expect([...exportedFiles(lock, (path) => path === 'content/guide/A b.md')!.keys()]).toEqual([
      'docsctl.yaml',
      'content/guide/A b.md',
    ]);
  });
});
