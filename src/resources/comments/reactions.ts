import { emojiOf } from '../../contract/emoji.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import type { Reaction } from './rows.ts';

/** Maximum number of different emojis on one comment. */
const maxReactions = 100;

export interface ReactionChanges {
  readonly addedReactions?: readonly string[];
  readonly removedReactions?: readonly string[];
}

/**
 * Returns the reactions after a user added and removed some; undefined if nothing changes.
 *
 * @throws Problem(invalid-input) if the same reaction is both added and removed
 * @throws Problem(conflict) above 100 different emojis
 */
export function changeReactions(
  reactions: readonly Reaction[],
  user: string,
  now: string,
  { addedReactions = [], removedReactions = [] }: ReactionChanges,
): readonly Reaction[] | undefined {
  const both = addedReactions.find((emoji) => removedReactions.some((other) => isSame(other, emoji)));
  if (both !== undefined)
    throw invalid(
      '/body/removedReactions',
      `The reaction ${both} is both added and removed.`,
      'Remove it from one of the two lists.',
    );
  let after = reactions;
  for (const emoji of removedReactions) after = removeReaction(after, emoji, user);
  for (const emoji of addedReactions) after = addReaction(after, emoji, user, now);
  return after === reactions ? undefined : after;
}

function removeReaction(reactions: readonly Reaction[], emoji: string, user: string): readonly Reaction[] {
  if (!hasReaction(reactions, emoji, user)) return reactions;
  return reactions
    .map((one) =>
      isSame(one.emoji, emoji) ? { ...one, users: one.users.filter((other) => other.user !== user) } : one,
    )
    .filter((one) => one.users.length > 0);
}

function addReaction(
  reactions: readonly Reaction[],
  emoji: string,
  user: string,
  reactedAt: string,
): readonly Reaction[] {
  if (hasReaction(reactions, emoji, user)) return reactions;
  if (reactions.some((one) => isSame(one.emoji, emoji))) {
    return reactions.map((one) =>
      isSame(one.emoji, emoji) ? { ...one, users: [...one.users, { user, reactedAt }] } : one,
    );
  }
  if (reactions.length >= maxReactions)
    throw new Problem('conflict', `A comment can have at most ${maxReactions} different reactions.`, {
      hint: 'React with one of the existing emoji.',
    });
  return [...reactions, { emoji, users: [{ user, reactedAt }] }];
}

function hasReaction(reactions: readonly Reaction[], emoji: string, user: string): boolean {
  return reactions.some((one) => isSame(one.emoji, emoji) && one.users.some((other) => other.user === user));
}

/** Whether two texts are the same emoji: clients send characters, or their code points. */
function isSame(one: string, other: string): boolean {
  return emojiOf(one) === emojiOf(other);
}
