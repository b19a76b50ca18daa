import { expect, it } from 'vitest';
import { keysOf, layoutOf } from '../../src/stores/layout.ts';
import { conflictProblem } from '../../src/stores/rows.ts';
import { pages, type PageRow } from './fixtures.ts';

it('names the taken key in a conflict, up to 120 characters', () => {
  const layout = layoutOf(pages);
  const conflict = (more: Partial<PageRow>, index?: string) => {
    const row = { id: 'pag_1', space: 's', slug: 'start', title: 'T', position: 1, ...more };
    return conflictProblem(
      layout,
      keysOf(layout, row),
      index === undefined ? undefined : layout.indexes.get(index),
    );
  };
  expect(conflict({})).toMatchObject({
    reason: 'conflict',
    message: 'The id "pag_1" is already taken.',
    hint: 'Choose another id.',
  });
  expect(conflict({}, 'bySlug')).toMatchObject({
    message: 'The slug "start" is already taken.',
    hint: 'Choose another slug.',
  });
  expect(conflict({ slug: 'x'.repeat(121) }, 'bySlug').message).toBe(
    `The slug "${'x'.repeat(120)}" is already taken.`,
  );
});
