import { cpSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { findBrokenAnchors } from '../../src/content-sync/find-broken-anchors.ts';
import { FolderTargets } from '../../src/content-sync/folder-targets.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { openGuideStore } from '../cli/guide-store.ts';

const samples = new URL('../samples/', import.meta.url).pathname;

it('returns each missing anchor with its file and line, and suggests the right one', async () => {
  const folder = await readFolder(`${samples}anchors`);
  const found = findBrokenAnchors(folder, new FolderTargets(folder));
  expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    'README.md:10 links to guides/steps.md#use-it, but guides/steps.md has no such anchor; did you mean #2-use-it?',
    'README.md:10 links to /guides/steps.md#again-2, but guides/steps.md has no such anchor; did you mean #again-1?',
    'README.md:11 links to guides#about, but guides/README.md has no such anchor; did you mean #about-2?',
    'README.md:11 links to #end, but this page has no such anchor',
    'README.md:11 links to guides/steps.html#nothing-like-it, but guides/steps.md has no such anchor',
    'README.md:11 links to guides/steps.md#2%20use, but guides/steps.md has no such anchor',
    'guides/README.md:3 links to ../README.md#begin, but README.md has no such anchor',
    '.gitbook/includes/note.md:1 links to ../../guides/steps.md#install-it, but guides/steps.md has no such anchor; did you mean #1-install-it?',
  ]);
});

it.each([
  'anchors',
  'handbook',
  'product-docs',
  'links/before',
  'links/after',
  'acme/docs',
  'acme/api',
  'pages',
])('finds the same broken links in %s as `docsctl spaces links` after an import', async (sample) => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  cpSync(`${samples}${sample}`, desk.at('docs'), { recursive: true });
  await desk.done(['spaces', 'import', 'Guide', 'docs']);
  const { items } = JSON.parse(
    (await desk.done(['spaces', 'links', 'Guide', '--status', 'broken', '--all', '-o', 'json'])).stdout,
  ) as { items: { missing?: string; href: string; line: number; source: { kind: string; file: string } }[] };
  const { root } = await readFolder(desk.at('docs'));
  const { warnings } = JSON.parse((await desk.done(['validate', 'docs', '-o', 'json'])).stdout) as {
    warnings: { rule: string; file: string; line: number; message: string }[];
  };
  const offline = (rule: string) =>
    warnings
      .filter((warning) => warning.rule === rule)
      .map(({ file, line, message }) => {
        const place = file.slice(`docs/${root === '' ? '' : `${root}/`}`.length);
        return `${place}:${line} ${/links to (.+), (?:which|but) /.exec(message)?.[1]}`;
      })
      .sort();
  const inSpace = (isMeant: (item: (typeof items)[number]) => boolean) =>
    items
      .filter(isMeant)
      .map(({ href, line, source }) => `${source.file}:${line} ${href}`)
      .sort();
  expect(offline('broken-anchor')).toEqual(inSpace(({ missing }) => missing === 'anchor'));
  // Missing includes have a rule of their own.
  expect(offline('broken-link')).toEqual(
    inSpace(({ missing, href }) => missing !== 'anchor' && !href.includes('/includes/')),
  );
  if (sample === 'anchors') expect(offline('broken-anchor')).toHaveLength(8);
});
