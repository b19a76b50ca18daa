import { expect, it } from 'vitest';
import type { ImportPlan } from '../../../src/content-sync/plan-import.ts';
import { listImported } from '../../../src/content-sync/git-sync/plan-changes.ts';
import type { SpaceContent } from '../../../src/content-sync/space-content.ts';

const git = (path: string) => ({ git: { path, oid: '' } });
const content = {
  pages: [
    { id: 'pag_a', title: 'A', slug: 'a', path: 'a', type: 'document', ...git('a.md') },
    { id: 'pag_b', title: 'B', slug: 'b', path: 'b', type: 'document', ...git('b.md') },
  ],
  files: [{ id: 'fil_old', name: 'old.png', ...git('old.png') }],
  texts: [],
} as unknown as SpaceContent;

it('a synchronization lists each page, file and text that it imports once, and what happened to it', () => {
  const plan = {
    pages: [
      { operation: 'update_page', page: 'pag_a', title: 'A' },
      { operation: 'update_page', page: 'pag_a', at: 0 },
      { operation: 'delete_page', page: 'pag_b' },
    ],
    files: [
      { file: { path: 'new.png' }, replaces: undefined },
      { file: { path: 'logo.png' }, replaces: 'fil_logo' },
    ],
    deletedFiles: ['fil_old'],
    texts: [
      { operation: 'put_text', role: 'summary', git: { path: 'SUMMARY.md' }, text: '* [A](a.md)\n' },
      { operation: 'put_text', role: 'variables', git: { path: '.gitbook/vars.yaml' }, text: null },
    ],
  } as unknown as ImportPlan;
  expect(
    listImported(plan, content).map(({ direction, kind, change, name }) => [direction, kind, change, name]),
  ).toEqual([
    ['import', 'page', 'changed', expect.stringContaining('a')],
    ['import', 'page', 'deleted', expect.stringContaining('b')],
    ['import', 'file', 'added', 'new.png'],
    ['import', 'file', 'changed', 'logo.png'],
    ['import', 'file', 'deleted', expect.stringContaining('old.png')],
    ['import', 'text', 'changed', 'SUMMARY.md'],
    ['import', 'text', 'deleted', '.gitbook/vars.yaml'],
  ]);
});
