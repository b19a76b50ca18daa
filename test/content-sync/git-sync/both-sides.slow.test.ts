import { flattenPages } from '../../../src/contract/values.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planExport } from '../../../src/content-sync/plan-export.ts';
import { openContent } from '../../../src/content-sync/space-content.ts';
import type { ContentChange } from '../../../src/content/changes.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { openDesk, type Desk } from '../../resources/content-support.ts';
import type { World } from '../../support/world.ts';
import { createBareRepository, type BareRepository } from './bare-repository.ts';
import { createSyncWorld, synchronize } from './sync-support.ts';

type Edit = readonly [kind: 'edit' | 'add' | 'delete' | 'move', which: number, word: string];

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('edit', 'edit', 'add', 'delete', 'move'),
  fc.nat(99),
  fc.constantFrom('alpha', 'beta', 'gamma', 'delta'),
);
const round = fc.record({
  space: fc.array(edit, { maxLength: 3 }),
  repository: fc.array(edit, { maxLength: 3 }),
  take: fc.constantFrom('space' as const, 'repository' as const),
});

const start = {
  'README.md': '# Start\n\nHello.\n',
  'a.md': '# A\n\nOne.\n\nTwo.\n\nThree.\n',
  'b.md': '---\ndescription: Second\n---\n\n# B\n\nText.\n',
  'c/README.md': '# C\n\nSee [A](../a.md).\n',
  'c/d.md': '# D\n\n![x](../.gitbook/assets/x.png)\n',
  '.gitbook/assets/x.png': 'image',
  LICENSE: 'free\n',
};

it(
  'makes the space and the repository equal after any edits, and then changes nothing',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(round, { minLength: 1, maxLength: 3 }),
        async (hasSummary, rounds) => {
          const repository = createBareRepository();
          try {
            const world = await createSyncWorld();
            const desk = await openDesk(world);
            const summary =
              '# Contents\n\n* [Start](README.md)\n* [A](a.md)\n* [B](b.md)\n* [C](c/README.md)\n  * [D](c/d.md)\n';
            repository.commit(hasSummary ? { ...start, 'SUMMARY.md': summary } : start);
            const sync = (body: object = {}) =>
              synchronize(world, desk.spaceId, { url: repository.url, ref: 'main', ...body });
            expect(await sync()).toMatchObject({ state: 'success' });
            for (const { space, repository: edits, take } of rounds) {
              for (const one of space) await editSpace(desk, one);
              editRepository(repository, edits);
              const first = await sync();
              if (first.state === 'failure') {
                expect(first.problem?.reason).toMatch(/^(conflict|guard-refused)$/);
                expect(await sync({ take })).toMatchObject({ state: 'success' });
              }
              const { LICENSE, ...files } = repository.files();
              const exported = await exportedFiles(world, desk.spaceId, files);
              expect(LICENSE).toBe('free\n');
              expect(files).toMatchObject(exported);
              const [head, { revision }] = [repository.head(), await desk.space()];
              expect(await sync()).toMatchObject({ state: 'success', changeCount: 0 });
              expect([repository.head(), (await desk.space()).revision]).toEqual([head, revision]);
              // A new space created from the repository has the same pages.
              const other = await openDesk(world);
              await synchronize(world, other.spaceId, {
                url: repository.url,
                ref: 'main',
                direction: 'import',
              });
              expect(shape(await other.pages())).toEqual(shape(await desk.pages()));
            }
          } finally {
            repository.remove();
          }
        },
      ),
      {
        numRuns: Number(process.env['GIT_SYNC_RUNS'] ?? 12),
        seed: Number(process.env['GIT_SYNC_SEED'] ?? 14),
      },
    );
  },
);

function shape(pages: readonly PageBody[]): unknown[] {
  return pages.map(({ title, type, pages: inner }) => [type, title, shape(inner ?? [])]);
}

/** Returns the files of an export that replaces the given files. */
async function exportedFiles(
  world: World,
  spaceId: string,
  replaced: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const reader = await openContent(world.as('owner'), { spaceId }, new AbortController().signal);
  const files: Record<string, string> = {};
  for (const { path, content } of planExport(await reader.read(true), (path) => replaced[path]).files)
    files[path] = Buffer.from(
      'bytes' in content ? content.bytes : await reader.download(content.fileId),
    ).toString();
  return files;
}

let number = 0;

async function editSpace(desk: Desk, [kind, which, word]: Edit): Promise<void> {
  const pages = flattenPages(await desk.pages()).filter(({ type }) => type === 'document');
  const page = pages[which % Math.max(1, pages.length)];
  const title = `${word} ${++number}`;
  if (kind === 'add' || page === undefined)
    return publish(desk, { operation: 'insert_page', title, document: { markdown: `${word}\n` } });
  if (kind === 'delete' && pages.length > 3)
    return publish(desk, { operation: 'delete_page', page: page.id });
  if (kind === 'move')
    return publish(desk, { operation: 'update_page', page: page.id, into: null, at: 0, title });
  const markdown = `${word}\n\n${page.markdown ?? ''}`;
  return publish(desk, { operation: 'update_page', page: page.id, document: { markdown } });
}

async function publish(desk: Desk, change: ContentChange): Promise<void> {
  await desk.publish(change);
}

function editRepository(repository: BareRepository, edits: readonly Edit[]): void {
  if (edits.length === 0) return;
  const before = repository.files();
  const files: Record<string, string | undefined> = { ...before };
  const list = (): string[] =>
    Object.keys(files).filter(
      (path) => files[path] !== undefined && path.endsWith('.md') && path !== 'SUMMARY.md',
    );
  const relist = (change: (text: string) => string): void => {
    if (files['SUMMARY.md'] !== undefined) files['SUMMARY.md'] = change(files['SUMMARY.md']);
  };
  for (const [kind, which, word] of edits) {
    const paths = list();
    const path = paths[which % Math.max(1, paths.length)] ?? 'README.md';
    const name = `${word}-${++number}.md`;
    if (kind === 'add') {
      files[name] = `# ${word} ${number}\n\nNew.\n`;
      relist((text) => `${text.trimEnd()}\n* [${word} ${number}](${name})\n`);
    } else if (kind === 'delete' && paths.length > 3 && path !== 'README.md') {
      files[path] = undefined;
      relist((text) => text.split('\n').filter((line) => !line.includes(`(${path})`)).join('\n')); // prettier-ignore
    } else if (kind === 'move' && path !== 'README.md') {
      files[name] = files[path];
      files[path] = undefined;
      relist((text) => text.replace(`(${path})`, `(${name})`));
    } else files[path] = `${files[path] ?? ''}\n${word}\n`;
  }
  repository.commit(files);
}
