import { expect, it } from 'vitest';
import { inferSummary } from '../../src/content-sync/infer-summary.ts';
import type { SummaryEntry } from '../../src/content-sync/summary.ts';

const outline = (entries: readonly SummaryEntry[]): unknown[] =>
  entries.map((entry) => {
    if (entry.kind !== 'page') throw new Error(`a ${entry.kind} was inferred`);
    return entry.children.length === 0 ? entry.target : [entry.target, outline(entry.children)];
  });

it('the pages of a folder lie below its README, those of a folder without one beside it', () => {
  expect(
    outline(
      inferSummary(['README.md', 'b.md', 'a/README.md', 'a/x.md', 'c/y.md', 'c/image.png'], '', 'README.md'),
    ),
  ).toEqual(['README.md', ['a/README.md', ['a/x.md']], 'b.md', 'c/y.md']);
});

it('pages lie at most 16 levels deep; what is deeper lies beside them', () => {
  const depthOf = (entries: readonly SummaryEntry[]): number =>
    Math.max(0, ...entries.map((entry) => 1 + (entry.kind === 'page' ? depthOf(entry.children) : 0)));
  const nested = (levels: number) =>
    Array.from({ length: levels }, (_, level) => `${'f/'.repeat(level)}README.md`);
  expect(depthOf(inferSummary(nested(16), '', 'README.md'))).toBe(15);
  expect(depthOf(inferSummary(nested(17), '', 'README.md'))).toBe(16);
  const deep = inferSummary(nested(20), '', 'README.md');
  expect(depthOf(deep)).toBe(16);
  expect(JSON.stringify(outline(deep))).toContain(nested(20).at(-1));
});
