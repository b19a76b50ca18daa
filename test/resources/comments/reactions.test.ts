import { expect, it } from 'vitest';
import { changeReactions } from '../../../src/resources/comments/reactions.ts';
import type { Reaction } from '../../../src/resources/comments/rows.ts';

const now = '2026-01-05T09:00:00.000Z';
const codes = (count: number) => Array.from({ length: count }, (_, at) => (0x1f300 + at).toString(16));
const of = (emoji: string, ...users: string[]): Reaction => ({
  emoji,
  users: users.map((user) => ({ user, reactedAt: now })),
});

it('a comment has at most 100 different reactions, each by any number of users', () => {
  const full = changeReactions([], 'usr_1', now, { addedReactions: codes(100) }) ?? [];
  expect(full).toHaveLength(100);
  const [first = ''] = codes(1);
  expect(changeReactions(full, 'usr_2', now, { addedReactions: [first] })?.[0]).toEqual(
    of(first, 'usr_1', 'usr_2'),
  );
  const oneMore = { addedReactions: ['1f600'] };
  expect(() => changeReactions(full, 'usr_2', now, { addedReactions: ['2764'] })).toThrow(
    'A comment can have at most 100 different reactions.',
  );
  // A reaction that loses its last user makes room for another one.
  expect(changeReactions(full, 'usr_1', now, { ...oneMore, removedReactions: [first] })).toHaveLength(100);
});

it('giving a reaction twice, or removing one that was not given, changes nothing', () => {
  const reactions = [of('1f600', 'usr_1')];
  expect(changeReactions(reactions, 'usr_1', now, { addedReactions: ['1f600'] })).toBeUndefined();
  expect(changeReactions(reactions, 'usr_2', now, { removedReactions: ['1f600'] })).toBeUndefined();
  expect(changeReactions(reactions, 'usr_1', now, { removedReactions: ['1f600'] })).toEqual([]);
});

it('a reaction cannot be both added and removed in one request', () => {
  expect(() =>
    changeReactions([], 'usr_1', now, { addedReactions: ['1f600'], removedReactions: ['1f600'] }),
  ).toThrow('The reaction 1f600 is both added and removed.');
});

it('an emoji and its code points count as the same reaction', () => {
  const [thumb, code] = ['👍', '1f44d'];
  const reactions = changeReactions([], 'usr_1', now, { addedReactions: [code, thumb] }) ?? [];
  expect(reactions).toEqual([of(code, 'usr_1')]);
  const both = changeReactions(reactions, 'usr_2', now, { addedReactions: [thumb] }) ?? [];
  expect(both).toEqual([of(code, 'usr_1', 'usr_2')]);
  expect(changeReactions(both, 'usr_1', now, { removedReactions: [thumb] })).toEqual([of(code, 'usr_2')]);
  expect(() =>
    changeReactions(both, 'usr_1', now, { addedReactions: [code], removedReactions: [thumb] }),
  ).toThrow('The reaction 1f44d is both added and removed.');
});
