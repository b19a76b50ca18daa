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
])('%s is cut to what comes before a clause without an end', (text, head) => {
  expect(beforeCutClause(text)).toBe(head);
});

it('a label does not end in a clause whose end is a detail', () => {
  const labels = labelCandidates(['I want to get a card but I live in the US'], () => 1).map(
    ({ text }) => text,
  );
  expect(labels).toContain('get a card');
  expect(labels).not.toContain('get a card but I live');
});

it('a question about a case stays a question', () => {
  expect(rephraseEnglish("What if I don't verify my identity?")).toEqual({
    text: "What if I don't verify my identity?",
    kind: 'question',
  });
  expect(rephraseEnglish('What if my card is blocked?').kind).toBe('problem');
});
