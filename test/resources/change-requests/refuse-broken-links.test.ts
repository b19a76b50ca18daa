import { expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { createWorld } from '../../support/world.ts';
import { openDesk, page } from '../content-support.ts';

it('a merge with requireLinks is refused if it would break links, and lists these links', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  await desk.publish(
    page('A', { document: { markdown: '# A\n\n[b](b.md#t)\n[gone](gone.md)\n' }, git: { path: 'a.md' } }),
    page('B', { document: { markdown: '# T\n' }, git: { path: 'b.md' } }),
  );
  const [a, b] = await desk.pages();
  const { number } = await desk.createRequest();
  await desk.edit(number, [{ operation: 'update_page', page: b!.id, document: { markdown: '# New\n' } }]);
  const merge = () =>
    world.as('review').call(mergeChangeRequest, { params: desk.at(number), body: { requireLinks: true } });
  const before = await desk.space();
  const error: unknown = await merge().catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({
    reason: 'guard-refused',
    message: `Merging change request ${number} would break 1 link. Nothing was merged.`,
    hint: 'Correct the links in the change request, or merge without --require-links.',
    violations: [{ path: 'a.md:3', message: 'b.md#t: The page "B" no longer has the anchor #t.' }],
  });
  expect(await desk.space()).toEqual(before);
  // A link that was already broken does not prevent the merge.
  await desk.edit(number, [
    {
      operation: 'update_page',
      page: a!.id,
      document: { markdown: '# A\n\n[b](b.md#new)\n[gone](gone.md)\n' },
    },
  ]);
  expect((await merge()).result).toBe('merge');
});
