import { wordsVersion, type SpaceRow } from '../../core/rows/spaces.ts';
import { invalid } from '../../errors/problem.ts';

type NewSpace = Pick<SpaceRow, 'id' | 'organization' | 'parent' | 'position' | 'revision'> &
  Partial<SpaceRow>;

/** Returns the row of a new space from the given fields and the defaults. */
export function newSpaceRow(now: string, given: NewSpace): SpaceRow {
  return {
    title: 'Untitled',
    emoji: '',
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    state: 'live',
    editMode: 'live',
    mergeRules: { type: 'inherit' },
    defaultLevel: null,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    wordsVersion,
    ...given,
  };
}

/**
 * Returns the change for an emoji or icon. A space has only one of them: setting one removes the other, and null removes it.
 *
 * @throws Problem(invalid-input) if both are set
 */
export function chooseEmojiOrIcon(
  emoji: string | null | undefined,
  icon: string | null | undefined,
): { emoji?: string; icon?: string | undefined } {
  if (typeof emoji === 'string' && typeof icon === 'string')
    throw invalid('/body/icon', 'A space cannot have both an emoji and an icon.', 'Give only one of them.');
  if (typeof emoji === 'string') return { emoji, icon: undefined };
  if (typeof icon === 'string') return { emoji: '', icon };
  return { ...(emoji === null && { emoji: '' }), ...(icon === null && { icon: undefined }) };
}
