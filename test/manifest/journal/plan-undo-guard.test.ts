import { describe, expect, it } from 'vitest';
import type { JournalLine } from '../../../src/manifest/journal/journal-lines.ts';
import type { Undo } from '../../../src/manifest/journal/undo-context.ts';
import { listTranslations } from '../../../src/resources/translations/contract.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { linesOf } from '../bench.ts';
import { problemIn } from '../read/folder.ts';
import { createUndoBench, type UndoBench } from './undo-bench.ts';

async function brought(...texts: string[]): Promise<UndoBench> {
  const bench = await createUndoBench();
  for (const text of texts) await bench.bring(text);
  return bench;
}

/** Rewrites lines of the newest journal. */
function write(bench: UndoBench, edit: (line: JournalLine) => JournalLine[]): void {
  const lines = bench.texts.at(-1)!.trimEnd().split('\n').flatMap((line) => edit(JSON.parse(line) as JournalLine)); // prettier-ignore
  bench.texts[bench.texts.length - 1] = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const many = (count: number): string =>
  `collections: { ${Array.from({ length: count }, (_, index) => `c${index}: { title: C${index} }`).join(', ')} }`;

describe('undo of a protected resource', () => {
  it('is refused, whoever protected it, and passes the refused plan to onRefused', async () => {
    for (const texts of [
      ['spaces: { a: { title: A, protect: true } }'],
      ['spaces: { a: { title: A } }', 'spaces: { a: { title: A, protect: true } }'],
    ]) {
      const bench = await brought(...texts);
      const told: Undo[] = [];
      const problem = await problemIn(bench.planUndo(0, { onRefused: (undo) => told.push(undo) }));
      expect(problem).toMatchObject({
        reason: 'guard-refused',
        violations: [
          { path: 'space.a', message: expect.stringMatching(/^space spc_\w+ is protected$/) as string },
        ],
      });
      expect(problem.message).toBe('space.a is protected, but the undo would delete it.');
      expect(problem.hint).toMatch(/"protect: false".*--force/);
      expect(linesOf(told[0]!.document)).toEqual(['unsupported space.a']);
      expect(told[0]!.document.steps[0]!.reason).toBe('not deleted: space.a is protected');
    }
  });

  it('is refused if the resource is inside of another one that would be deleted', async () => {
    const bench = await brought(
      'spaces: { a: { title: A } }\nsites: { s: { title: Docs, sections: [{ path: p, title: Page, space: !ref space.a, protect: true }] } }',
    );
    expect((await problemIn(bench.planUndo())).violations).toMatchObject([{ path: 'section.s/p' }]);
  });

  it('deletes it with --force, or after the protection was dropped', async () => {
    const bench = await brought('spaces: { a: { title: A, protect: true } }');
    expect(linesOf((await bench.planUndo(-1, { force: true })).document)).toEqual(['delete space.a']);
    await bench.bring('spaces: { a: { title: A, protect: false } }');
    expect(linesOf((await bench.planUndo(0)).document)).toEqual(['delete space.a']);
  });
});

describe('the delete limit of an undo', () => {
  it('is that of --prune, and --force does not raise it', async () => {
    const bench = await brought(many(6));
    const refused = await problemIn(bench.planUndo(-1, { maxDeletes: undefined, force: true }));
    expect(refused).toMatchObject({
      reason: 'guard-refused',
      message: 'This would delete 6 resources; the limit is 5 unless --max-deletes allows more.',
    });
    expect(refused.hint).toBe(
      `Review them with \`docsctl runs undo ${bench.run().head.id} --dry-run --force --max-deletes 6\`. To delete them, undo with the same options.`,
    );
    expect((await problemIn(bench.planUndo(-1, { maxDeletes: 4 }))).message).toMatch(
      /--max-deletes allows only 4\.$/,
    );
    expect(linesOf((await bench.planUndo(-1, { maxDeletes: 6 })).document).length).toBe(6);
    expect(
      linesOf((await (await brought(many(5))).planUndo(-1, { maxDeletes: undefined })).document).length,
    ).toBe(5);
  });

  it('includes the resources inside the deleted ones', async () => {
    const bench = await brought(
      'spaces: { a: { title: A } }\nsites: { s: { title: Docs, sections: [{ path: p, title: Page, space: !ref space.a }] } }',
    );
    expect((await problemIn(bench.planUndo(-1, { maxDeletes: 3 }))).message).toBe(
      'This would delete 4 resources: 2, and 2 more inside them; --max-deletes allows only 3.',
    );
  });
});

describe('undo of side effects', () => {
  it('keeps and lists them: the space of a translation, ingested conversations, a change request', async () => {
    const bench = await brought(
      'spaces: { a: { title: A } }',
      'spaces: { a: { title: A2 } }\ntranslations: { t: { source: { space: !ref space.a, language: en }, language: fr } }',
    );
    await runDueJobs(bench.world.core, { signal: new AbortController().signal });
    const target = (await bench.api.call(listTranslations, { params: { organizationId: bench.world.org } }))
      .items[0]!.result!.space;
    const space = bench.lock!.resources['space.a']!.id;
    write(bench, (line) => {
      if (line.type === 'run') return [{ ...line, ingests: ['support/a.ndjson'] }];
      if (line.type === 'step' && line.key === 'space.a') return [{ ...line, revision: 'rev_x' }];
      if (line.type === 'ended' && line.key === 'space.a')
        return [line, { type: 'content', key: 'space.a', revision: 'rev_x' }];
      return [line];
    });
    const { stays } = await bench.planUndo();
    expect(stays).toEqual([
      expect.stringMatching(
        new RegExp(
          `^the space ".*" \\(${target}\\), which translation.t wrote; delete it with .docsctl spaces delete ${target}.$`,
        ),
      ),
      'the conversations that the run ingested from support/a.ndjson',
      `the unmerged change request that the run opened in space.a; see \`docsctl change-requests list --space ${space} --status all\``,
    ]);
  });
});
