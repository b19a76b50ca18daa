import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { warningsOfChanges } from '../../src/content-sync/changed-warnings.ts';
import { planImport } from '../../src/content-sync/plan-import.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { newFolder } from './folder-support.ts';

const files = (start: string, summary: string) => ({
  '.gitbook.yaml': 'root: ./docs\n',
  'docs/SUMMARY.md': `* [Start](start.md)\n${summary}`,
  'docs/start.md': `{% tabs %}\n\n${start}\n`,
  'docs/other.md': 'x\n',
});

it('returns the warnings of the files that change, and all warnings for a new space', async () => {
  const empty = { pages: [], files: [], texts: [] };
  const dir = newFolder(files('One', '* [Gone](gone.md)\n'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const folder = await readFolder(dir);
  const plan = planImport(empty, folder);
  const all = warningsOfChanges(folder, plan, empty).map(({ file }) => file);
  expect(new Set(all)).toEqual(new Set(['docs/SUMMARY.md', 'docs/start.md', 'docs/other.md']));

  const page = { id: 'pag_1', type: 'document', title: 'Start', git: { path: 'start.md', oid: '1' } };
  const current = { pages: [page as PageBody], files: [], texts: [] };
  const warned = (...pages: (typeof plan)['pages']) =>
    warningsOfChanges(folder, { pages, texts: [], files: [], deletedFiles: [] }, current).map(
      ({ file }) => file,
    );
  expect(warned({ operation: 'update_page', page: 'pag_1', document: { markdown: 'Two' } })).toEqual([
    'docs/start.md',
  ]);
  expect(warned({ operation: 'update_page', page: 'pag_1', title: 'Begin' })).toEqual([]);
  const texts = plan.texts.filter((change) => change.operation === 'put_text' && change.role === 'summary');
  expect(
    warningsOfChanges(folder, { pages: [], texts, files: [], deletedFiles: [] }, current).map(
      ({ file }) => file,
    ),
  ).toEqual(['docs/SUMMARY.md']);
});
