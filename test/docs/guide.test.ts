import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../cli/guide-store.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
});
afterAll(() => desk.discard());

it('the guide can be imported completely, and has no broken links', async () => {
  const { stderr } = await desk.done(['spaces', 'import', 'Guide', docs]);
  expect(stderr.split('\n').filter((line) => line.startsWith('warning'))).toEqual([]);
  const { stdout } = await desk.done(['spaces', 'links', 'Guide', '--status', 'broken', '-o', 'json']);
  expect(JSON.parse(stdout).items.map((link: { href: string; source: { path: string } }) => link)).toEqual(
    [],
  );
  const pages = JSON.parse((await desk.done(['spaces', 'pages', 'list', 'Guide', '-o', 'json'])).stdout);
  expect(JSON.stringify(pages).match(/"slug"/g)?.length).toBeGreaterThan(50);
});

it('the guide passes docsctl validate', async () => {
  await desk.done(['validate', docs, '--deny-warnings']);
});

it('the guide is exported without changes', async () => {
  const folder = desk.at('again');
  mkdirSync(folder);
  await desk.done(['spaces', 'export', 'Guide', folder]);
  for (const name of readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  ))
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(readFileSync(join(docs, name), 'utf8'));
  rmSync(folder, { recursive: true });
});

it('the guide lists every page in its table of contents', () => {
  const summary = readFileSync(join(docs, 'SUMMARY.md'), 'utf8');
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && path !== 'SUMMARY.md',
  );
  expect(pages.filter((path) => !summary.includes(`(${path})`))).toEqual([]);
});

it('the README has at most 200 lines', () => {
  expect(readFileSync(join(docs, '../README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(201);
});
