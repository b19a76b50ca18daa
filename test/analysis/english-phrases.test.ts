import { expect, it } from 'vitest';
import { beforeCutClause, rephraseEnglish } from '../../src/analysis/english-phrases.ts';
import { labelCandidates } from '../../src/analysis/label-candidates.ts';

it.each([
  ['Get a card but I live', 'Get a card'],
  ['Get a card, but I live', 'Get a card'],
  ['Change my plan because I do not travel', undefined],
  ['Get a card but I live in Norway', undefined],
  ['Made a transfer but it failed', undefined],
  ['Cash that I did not deposit', undefined],
])('cuts an incomplete clause from %s', (text, head) => {
  expect(beforeCutClause(text)).toBe(head);
});

it('never ends a label in a clause that was cut before a detail', () => {
  const labels = labelCandidates(['I want to get a card but I live in the US'], () => 1).map(
    ({ text }) => text,
  );
  expect(labels).toContain('get a card');
  expect(labels).not.toContain('get a card but I live');
});

it('keeps a question about a case as a question', () => {
  expect(rephraseEnglish("What if I don't verify my identity?")).toEqual({
    text: "What if I don't verify my identity?",
    kind: 'question',
  });
  expect(rephraseEnglish('What if my card is blocked?').kind).toBe('problem');
});
