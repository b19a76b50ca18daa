import { expect } from 'vitest';
import { markdownToDocument } from '../../src/richtext/markdown.ts';
import { deleteSpace, getSpace } from '../../src/resources/spaces/contract.ts';
import * as translations from '../../src/resources/translations/contract.ts';
import { env, frenchOf, helpersOf, page, service, type Service } from '../resources/translations/support.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';

/** Configures a translation service, and passes it to the try. */
function translating(work: (bench: Bench, service: Service) => Promise<void>): Pick<Try, 'outside' | 'run'> {
  // A segment with code gets a valid answer only when the service is asked again.
  let used = service();
  return {
    outside: () => {
      const made = service((text) =>
        made.status === 200 && made.sent.length < 10 && text.includes('<x')
          ? 'all marks lost'
          : frenchOf(text),
      );
      used = made;
      return { outgoing: made.outgoing, env };
    },
    run: (bench) => work(bench, used),
  };
}

const listed = async ({ call, org }: Bench) => (await call(translations.listTranslations, org)).items[0];
const put = (id: string, markdown: string) => ({
  operation: 'update_page',
  page: id,
  document: { markdown },
});

export const tries: readonly Try[] = [
  {
    of: 'translation',
    fields: [
      'status',
      'result.space',
      'result.revision',
      'updatedAt',
      'stats.runs',
      'stats.totalPages',
      'stats.totalWords',
      'stats.totalDuration',
      'stats.latestPages',
      'stats.latestWords',
      'stats.latestRunDuration',
    ],
    ...translating(async (bench, deepl) => {
      const { work, edit, newSpace, create, pagesOf, textsOf } = helpersOf(() => bench.world);
      const space = await newSpace([page('One', 'First word.'), page('Two', 'Second word.')]);
      await create(space);
      const before = await listed(bench);
      expect(before).toMatchObject({ status: 'pending', stats: { runs: 0, totalPages: 0, totalWords: 0 } });
      expect(before).not.toHaveProperty('result');
      deepl.before = async () => {
        expect(await listed(bench)).toMatchObject({ status: 'running' });
        bench.world.pass(100_000);
      };
      await work();
      const first = await listed(bench);
      expect(first).toMatchObject({
        status: 'completed',
        stats: { runs: 1, totalPages: 2, latestPages: 2, totalWords: 6, latestWords: 6 },
      });
      expect((first?.updatedAt ?? '') > (before?.updatedAt ?? '')).toBe(true);
      expect(first?.stats.latestRunDuration).toBeGreaterThanOrEqual(100);
      expect(first?.stats.totalDuration).toBe(first?.stats.latestRunDuration);
      const target = { spaceId: first?.result?.space ?? '' };
      const revision = async () => (await bench.call(getSpace, target)).revision;
      expect(first?.result?.revision).toBe(await revision());
      expect(await textsOf(target.spaceId)).toEqual([
        ['fr(One)', 'fr(First word.)'],
        ['fr(Two)', 'fr(Second word.)'],
      ]);
      const [one] = await pagesOf(space);
      await edit(space, [put(one?.id ?? '', 'A third word.'), page('Three', 'Last word.')]);
      await work();
      const second = await listed(bench);
      expect(second).toMatchObject({
        result: { space: target.spaceId, revision: await revision() },
        stats: { runs: 2, totalPages: 3, latestPages: 2, totalWords: 12, latestWords: 6 },
      });
      expect(second?.result?.revision).not.toBe(first?.result?.revision);
      const [all = 0, last = 0] = [second?.stats.totalDuration, second?.stats.latestRunDuration];
      expect(all - last - (first?.stats.latestRunDuration ?? 0)).toBeLessThanOrEqual(1);
      await bench.call(deleteSpace, target);
      expect(await listed(bench)).not.toHaveProperty('result');
    }),
  },
  {
    of: 'translation',
    fields: ['instructions', 'stats.latestKept', 'stats.latestEditsKept', 'stats.latestEditsReplaced'],
    ...translating(async (bench) => {
      const { work, edit, newSpace, create, run, params, pagesOf, textsOf } = helpersOf(() => bench.world);
      const space = await newSpace([page('One', 'First word.\n\nRun `npm i` now.\n\nThird word.')]);
      const { id } = await create(space);
      await work();
      expect((await listed(bench))?.stats).toMatchObject({ latestKept: 1 });
      const target = (await listed(bench))?.result?.space ?? '';
      expect((await textsOf(target))[0]?.[1]).toContain('Run `npm i` now.');
      const pageId = (await pagesOf(space))[0]?.id ?? '';
      for (let asked = 0; asked < 8 && (await listed(bench))?.stats.latestKept !== 0; asked++) {
        await run(id);
        await work();
      }
      expect((await listed(bench))?.stats).toMatchObject({ latestKept: 0 });
      expect((await textsOf(target))[0]?.[1]).toContain('fr(Run `npm i` now.)');
      await edit(target, [put(pageId, 'Premier.\n\nfr(Run `npm i` now.)\n\nTroisième.')]);
      await edit(space, [put(pageId, 'First word.\n\nRun `npm i` now.\n\nOther word.')]);
      const instructions = markdownToDocument('* word: mot');
      await bench.call(translations.updateTranslation, params(id), { body: { instructions } });
      await work();
      expect(await listed(bench)).toMatchObject({
        instructions,
        stats: { latestEditsKept: 1, latestEditsReplaced: 1 },
      });
      expect((await textsOf(target))[0]?.[1]).toBe('Premier.\n\nfr(Run `npm i` now.)\n\nfr(Other mot.)');
    }),
  },
  {
    of: 'translation',
    fields: ['problem.reason', 'problem.message', 'problem.hint', 'problem.at'],
    ...translating(async (bench, deepl) => {
      const { work, newSpace, create, run, params } = helpersOf(() => bench.world);
      const { id } = await create(await newSpace([page('One', 'First word.')]));
      deepl.status = 403;
      await work();
      const failed = await listed(bench);
      expect(failed).toMatchObject({
        status: 'pending',
        problem: {
          reason: 'unauthenticated',
          message: 'Page "One": DeepL answered 403: API key rejected.',
          hint: expect.stringContaining('DOCSCTL_DEEPL_KEY'),
        },
      });
      expect((failed?.problem?.at ?? '') > (failed?.createdAt ?? '')).toBe(true);
      const forReaders = await bench.call(translations.getTranslation, params(id), {}, 'read');
      expect(forReaders).not.toHaveProperty('problem');
      deepl.status = 200;
      await run(id);
      await work();
      expect(await listed(bench)).toMatchObject({ status: 'completed' });
      expect(await listed(bench)).not.toHaveProperty('problem');
    }),
  },
  {
    of: 'translation',
    fields: ['permissions.edit'],
    ...translating(async (bench) => {
      const { newSpace, create, params } = helpersOf(() => bench.world);
      const { id } = await create(await newSpace([page('One', 'First word.')]));
      await permissionIsKept(
        roles.filter((role) => role !== 'guest'),
        async (who) => (await bench.call(translations.getTranslation, params(id), {}, who)).permissions.edit,
        (who) => bench.reason(translations.runTranslation, params(id), {}, who),
      );
    }),
  },
];
